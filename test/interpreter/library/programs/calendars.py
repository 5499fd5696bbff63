"""Months and years as weeks and as text."""
import calendar
from datetime import date
c = calendar.Calendar(firstweekday=6)
print(list(c.iterweekdays()), c.monthdayscalendar(2024, 2), c.monthdays2calendar(2024, 2)[0])
print([str(d) for d in c.itermonthdates(2024, 12)][-8:], list(calendar.Calendar().itermonthdays(2023, 1))[:8])
print(next(calendar.Calendar().itermonthdays3(2024, 5)), calendar.Calendar(calendar.SUNDAY).monthdatescalendar(2024, 1)[0][0])
t = calendar.TextCalendar(calendar.SUNDAY)
print(t.formatmonth(2024, 7)); t.prmonth(2023, 2, w=4, l=2)
print(calendar.calendar(2024)); print(t.formatyear(2025, m=4))
calendar.setfirstweekday(calendar.SUNDAY)
print(calendar.month(2024, 3), calendar.firstweekday(), calendar.weekheader(3), calendar.weekheader(10))
print(calendar.monthcalendar(2024, 3)); calendar.prcal(2023, m=2)
class Mine(calendar.TextCalendar):
    def title(self): return self.formatmonthname(2024, 5, 30) + "|"
print(Mine(2).title(), Mine().firstweekday, Mine(3).formatmonth(2024,5))
try: c.monthdayscalendar(2024, 13)
except ValueError as e: print(type(e).__name__, e)
