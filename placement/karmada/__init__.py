"""The Karmada API: its kinds as models, what its server says of them, and what it does not say.

Owns the wire form of the kinds that this project writes (Karmada 1.18), their defaults, the
validation of Karmada's webhook, and the rules for policies that Karmada accepts and then does not
do. It talks to no server and decides no placement. It imports the standard library and pydantic
alone, as the policy pack needs.
"""
