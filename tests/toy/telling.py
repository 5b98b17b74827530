"""What its narrator must know of the smallest game beside its templates."""

from engine.kernel.telling import Telling, codes, defined_in
from tests.toy import answers, events, steps

TELLING = Telling(events=defined_in(events), problems=codes("PROBLEMS", answers), notes=codes("NOTES", steps))
