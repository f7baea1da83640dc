"""What a call draws and reads, block by block over threads."""
