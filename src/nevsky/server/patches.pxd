
# constants, written by tools/pxd.py

# end of constants
