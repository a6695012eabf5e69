"""`python -m jetblack`."""

from jetblack._commands import jetblack

if __name__ == "__main__":
    jetblack()
