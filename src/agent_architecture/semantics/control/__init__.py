"""What is known where code stands: conditions on every way there, tests and checks that can refuse.

`conditions` finds what was asked on every way, whoever asked. Another form of a question becomes a `Condition` there,
in the words of one that is known (`x in listed`): so all who read conditions know it. `argument_tests` tells which
values a condition limits, `checks` and `refusal` what of it is a check.
"""
