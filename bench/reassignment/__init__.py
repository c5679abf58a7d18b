"""Google's machine reassignment problem (ROADEF/EURO challenge 2012), in blocks."""
