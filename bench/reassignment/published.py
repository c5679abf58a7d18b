"""What is published of the challenge's instances: cost at the start, and the best of 2012.

Sources: costs at the start, the team J12's repository (wjaskowski/roadef-challange-2012-public,
``data/*/original_cost_*.txt``). Best known of set A: S. Gualandi, *Challenging MIPs instances*
(https://stegua.github.io, 2012-12-03): the best of the challenge's qualification or of his own.
Best known of b_1 to b_4: the best of the challenge's final round, quoted from memory; no table of
them was at hand, but each is above its bound by 1.5 % at most.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Published:
    """Of an instance.

    Attributes:
        start: cost of the assignment at the start.
        best: the least cost that is known.
        target: by how much of *start* an answer may be above *best*.
    """

    start: int
    best: int
    target: float


PUBLISHED = {
    "a1_1": Published(49_528_750, 44_306_501, 0.01),
    "a1_2": Published(1_061_649_570, 777_532_896, 0.01),
    "a1_3": Published(583_662_270, 583_005_717, 0.01),
    "a1_4": Published(632_499_600, 252_728_589, 0.01),
    "a1_5": Published(782_189_690, 727_578_309, 0.01),
    "a2_1": Published(391_189_190, 196, 0.05),
    "a2_2": Published(1_876_768_120, 816_523_983, 0.05),
    "a2_3": Published(2_272_487_840, 1_303_662_728, 0.05),
    "a2_4": Published(3_223_516_130, 1_681_353_943, 0.05),
    "a2_5": Published(787_355_300, 336_158_091, 0.05),
    "b_1": Published(7_644_173_180, 3_339_186_879, 0.01),
    "b_2": Published(5_181_493_830, 1_015_553_800, 0.01),
    "b_3": Published(6_336_834_660, 156_835_787, 0.01),
    "b_4": Published(9_209_576_380, 4_677_823_040, 0.01),
}
"""By instance."""
