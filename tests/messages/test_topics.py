"""Topics: the table of design section 6, and nothing that an id could turn into another topic."""

from __future__ import annotations

import pytest

from jackpotd.messages.topics import (
    ALARM,
    HIT,
    METER,
    RELAY_DOWN,
    RELAY_UP,
    SIGN_STATE,
    STATUS,
    TABLE_STATE,
    TOPICS,
    Topic,
)

# The topics of the design, and whether the broker keeps them.
DESIGN = {
    "jackpotd/lisboa/status/main": (STATUS, ("lisboa", "main"), True),
    "jackpotd/lisboa/pool/stud-main/meter": (METER, ("lisboa", "stud-main"), True),
    "jackpotd/lisboa/pool/stud-main/hit/T01-17": (HIT, ("lisboa", "stud-main", "T01-17"), True),
    "jackpotd/lisboa/table/T01/state": (TABLE_STATE, ("lisboa", "T01"), True),
    "jackpotd/lisboa/alarm/offline-T01": (ALARM, ("lisboa", "offline-T01"), True),
    "jackpotd/lisboa/relay/pit-3/up": (RELAY_UP, ("lisboa", "pit-3"), False),
    "jackpotd/lisboa/relay/pit-3/down": (RELAY_DOWN, ("lisboa", "pit-3"), False),
    "jackpotd/lisboa/sign/bar/state": (SIGN_STATE, ("lisboa", "bar"), True),
}


def test_the_list_of_topics_is_the_designs() -> None:
    assert set(TOPICS) == {topic for topic, _, _ in DESIGN.values()}


@pytest.mark.parametrize("text", DESIGN)
def test_a_topic_is_made_of_its_ids_and_read_back(text: str) -> None:
    topic, ids, retained = DESIGN[text]
    assert topic.at(*ids) == text
    assert topic.ids_of(text) == ids
    assert topic.retained is retained


@pytest.mark.parametrize("text", DESIGN)
def test_a_topic_is_read_by_one_row_only(text: str) -> None:
    assert [topic for topic in TOPICS if topic.ids_of(text) is not None] == [DESIGN[text][0]]


@pytest.mark.parametrize("one", ["", "a/b", "+", "#", "a b", "a\n", "é", "x" * 129, "$SYS/a"])
@pytest.mark.parametrize("topic", TOPICS, ids=[topic.name for topic in TOPICS])
def test_an_id_that_could_name_another_topic_is_refused(topic: Topic, one: str) -> None:
    for place in range(len(topic.parameters)):
        ids = ["x"] * len(topic.parameters)
        ids[place] = one
        with pytest.raises(ValueError, match="cannot stand in a topic"):
            topic.at(*ids)


@pytest.mark.parametrize(
    "text", ["", "jackpotd/lisboa/pool/p/meter/x", "jackpotd/lisboa/pool//meter", "jackpotd/lisboa/pool/a b/meter"]
)
def test_a_strange_topic_is_none_of_ours(text: str) -> None:
    assert all(topic.ids_of(text) is None for topic in TOPICS)


def test_a_whole_site_is_subscribed_to_with_one_wildcard_an_id() -> None:
    assert HIT.everywhere("lisboa") == "jackpotd/lisboa/pool/+/hit/+"
