"""A row with 8 KB of JSON to lock, and a row for each move."""

from django.db import models


class Board(models.Model):
    state = models.TextField()

    def __str__(self) -> str:
        return f"board {self.pk}"


class Step(models.Model):
    board = models.ForeignKey(Board, on_delete=models.CASCADE)
    text = models.CharField(max_length=200)
    at = models.DateTimeField(auto_now_add=True)

    def __str__(self) -> str:
        return self.text
