"""python -m nevsky does what the command nevsky does."""

from nevsky.cli import main

main()
