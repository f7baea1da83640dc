"""What a threshold costs and gains."""
