"""The one decorator: flags, and a cache that notices every edit of every kernel file.

Numba stamps a cached kernel with its own source file only, so after an edit of a helper in
another file the old machine code would run. Here the stamp is a digest of all kernel files.
Where no folder is writable the kernels compile without a cache.
"""

import gc
import hashlib
import pkgutil
import warnings
from pathlib import Path

import numba
import numpy as np
from numba.core import config, event
from numba.core.caching import FunctionCache


def _digest():
    """Digest of the sources of all kernel files; works from a folder and from a zip archive."""
    digest = hashlib.sha256()
    folder = Path(__file__).parent
    for module in sorted(pkgutil.iter_modules([str(folder)]), key=lambda item: item.name):
        loader = module.module_finder.find_spec(module.name).loader
        digest.update(module.name.encode())
        digest.update(loader.get_source(module.name).encode())
    return digest.hexdigest()


SOURCE_DIGEST = _digest()


class _WithoutCollection:
    """No garbage collection while kernels compile or load, which takes a sixth off the time.

    The compiler makes millions of objects that live until it is done, so that a collection finds
    nothing. Both happen under its lock, and a kernel within a kernel within the other's pause.
    """

    def __init__(self):
        self._depth = 0
        self._enabled = False

    def __enter__(self):
        if self._depth == 0:
            self._enabled = gc.isenabled()
            gc.disable()
        self._depth += 1

    def __exit__(self, *raised):
        self._depth -= 1
        if self._depth == 0 and self._enabled:
            gc.enable()


_without_collection = _WithoutCollection()


class _KernelCache(FunctionCache):
    """Numba's file cache with our stamp; a cache that fails costs a compilation, never a call."""

    def __init__(self, function):
        super().__init__(function)
        self._cache_file._source_stamp = SOURCE_DIGEST

    def load_overload(self, sig, target_context):
        try:
            with _without_collection:
                return super().load_overload(sig, target_context)
        except Exception:  # a truncated or foreign file is a miss
            return None

    def save_overload(self, sig, data):
        try:
            super().save_overload(sig, data)
        except OSError as error:
            _warn_without_cache(error)
        except Exception:  # a corrupt index: begin a new one
            self.flush()
            super().save_overload(sig, data)


class _Pause(event.Listener):
    """Numba tells of the start and the end of each compilation; those of others are not ours."""

    def on_start(self, event):
        if isinstance(event.data["dispatcher"]._cache, _KernelCache):
            _without_collection.__enter__()

    def on_end(self, event):
        if isinstance(event.data["dispatcher"]._cache, _KernelCache):
            _without_collection.__exit__()


event.register("numba:compile", _Pause())


_warned = False


def _warn_without_cache(reason):
    global _warned
    if not _warned:
        _warned = True
        warnings.warn(
            f"compiled kernels cannot be cached ({reason}): every process compiles them anew; "
            "set NUMBA_CACHE_DIR to a writable folder",
            RuntimeWarning,
            stacklevel=2,
        )


def kernel(function, *, inline="never"):
    """Compile on first call: no GIL, IEEE division, no fastmath, no explicit signatures."""
    if config.DISABLE_JIT:
        return np.errstate(over="ignore", divide="ignore", invalid="ignore")(function)
    dispatcher = numba.njit(nogil=True, error_model="numpy", inline=inline, no_cfunc_wrapper=True)(
        function
    )
    try:
        dispatcher._cache = _KernelCache(function)
    except (RuntimeError, OSError, AttributeError) as error:
        _warn_without_cache(error)
    return dispatcher


def inlined(function):
    """A kernel pasted into its callers before LLVM sees them, where a loop must vectorise."""
    return kernel(function, inline="always")
