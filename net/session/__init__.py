"""One terminal at a table as a pure state machine: `(session, input, now) -> (session, effects)`.

inputs.py goes in, effects.py and the events (events.py) come out, state.py is what lies between.
session.py gives each input to where it belongs; opening.py makes the first session; refusals.py has
our words for what strangers say. No part imports one that receives more: replication.py enters
posts, and knows neither lobby nor people. It imports core and the floors below. Begin with
session.py.
"""
