"""A lab's processes: started, known again, waited for, ended; their ports, and what is remembered.

What the processes are is not known here.
"""
