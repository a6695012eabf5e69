"""The package's version, as its metadata has it."""

from importlib.metadata import version

__version__ = version("jetblack")
