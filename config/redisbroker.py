"""A Redis that only wakes: kombu's transport without its imitation of acknowledgements.

kombu keeps in Redis what a worker has not finished and gives it back when the connection breaks.
With a worker at work and Redis away this fails in a way that ends the worker (celery 5.7, kombu
5.7). Nothing here is ever given back: the next tick finds the work in the database anyway.
"""

from kombu.transport import redis


class Channel(redis.Channel):
    ack_emulation = False  # a taken message is gone from Redis
    do_restore = False  # and is not put back by a worker that ends


class Transport(redis.Transport):
    Channel = Channel
