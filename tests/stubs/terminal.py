#!/usr/bin/env python3
"""Runs a program at a terminal of its own: terminal.py COLUMNS PROGRAM [ARGUMENT …]

What the program shows goes to standard output. The first byte that comes in is answered with the key
Ctrl-C. The status is the program's, or 70 when it has left the terminal other than it was.
"""

import fcntl
import os
import pty
import select
import struct
import sys
import termios

columns, command = int(sys.argv[1]), sys.argv[2:]
main, side = pty.openpty()
fcntl.ioctl(side, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
before = termios.tcgetattr(side)
child = os.fork()
if child == 0:
    os.close(main)
    os.setsid()
    fcntl.ioctl(side, termios.TIOCSCTTY, 0)
    for descriptor in range(3):
        os.dup2(side, descriptor)
    os.execvp(command[0], command)
sources = [main, 0]
ended = 0
while True:
    ready = select.select(sources, [], [], 0.02)[0]
    if 0 in ready:
        sources.remove(0)
        if os.read(0, 1):
            os.write(main, b"\x03")
    if main in ready:
        os.write(1, os.read(main, 65536))
    elif ended:
        break
    else:
        ended, status = os.waitpid(child, os.WNOHANG)
code = os.waitstatus_to_exitcode(status)
sys.exit(code if termios.tcgetattr(side) == before else 70)
