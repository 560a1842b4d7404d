"""What the browser asks for: pages around the matches, tables, matches and their history.

Views read with queries.py, write with services, word refusals with prose.py, and know no rules.
"""
