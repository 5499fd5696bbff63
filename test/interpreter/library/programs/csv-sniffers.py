# What csv finds out about a text by itself.
import csv
import io

samples = {
    "commas": "a,b,c\n1,2,3\n4,5,6\n",
    "semicolons": "name;price;n\nA;1,5;3\nB;2,25;10\nC;3,75;7\n",
    "tabs": "a\tb\tc\n1\t2\t3\n",
    "pipes": "id|name|at\n1|Ann|2024-01-02\n2|Bo|2024-01-03\n",
    "quotes": '"a","b, c","d"\n"1","2","3"\n"4","5","6"\n',
    "single": "'a', 'b', 'c'\n'1', '2', '3'\n",
    "doubled": '"a","say ""hi""","c"\n"1","2 ""x""","3"\n',
    "spaces": "a, b, c\n1, 2, 3\n",
    "uneven": "a;b\n1;2;3\nx;y\n5;6\n",
    "column": '"one"\n"two"\n"three"\n',
    "header": "name,age,city\nAnn,31,Berlin\nBo,42,Rome\nCy,27,Oslo\n",
    "numbers": "1,2,3\n4,5,6\n7,8,9\n",
    "complex": "a,b\n1+2j,1e5\n(3-4j),.5\n-j,inf\n",
    "widths": "key,value\nab,xyz\ncd,uvw\nef,rst\n",
}
for name, text in samples.items():
    try:
        d = csv.Sniffer().sniff(text)
    except csv.Error as e:
        print(name, "Error:", e)
        continue
    print(name, repr(d.delimiter), repr(d.quotechar), d.doublequote, d.skipinitialspace, repr(d.lineterminator), d.quoting)
    rows = list(csv.reader(io.StringIO(text), d))
    print("  ", rows, csv.Sniffer().has_header(text))
for text, delimiters in [("a;b,c\n1;2,3\n", ",;"), ("a;b,c\n1;2,3\n", ";"), ("a.b.c\n1.2.3\n", ",;\t"), ("name;price\n", ";,"), ("", ",")]:
    try:
        print(repr(text), repr(delimiters), repr(csv.Sniffer().sniff(text, delimiters=delimiters).delimiter))
    except csv.Error as e:
        print(repr(text), repr(delimiters), e)
sniffer = csv.Sniffer()
print(sniffer.preferred)
sniffer.preferred = ["|", ";"]
dialect = sniffer.sniff("a;b|c\n1;2|3\n")
print(dialect.delimiter, issubclass(dialect, csv.Dialect))
out = io.StringIO()
csv.writer(out, dialect).writerows([["x", "y|z"], [1, None]])
print(repr(out.getvalue()), [dict(r) for r in csv.DictReader(samples["pipes"].splitlines(), dialect=sniffer.sniff(samples["pipes"]))])
