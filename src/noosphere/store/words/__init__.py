"""Words as the full-text index knows them: the fold of a text, the terms of a query, and where a text holds them.

FTS5's tokenizer (`porter unicode61 remove_diacritics 2 categories 'L* N* Co M*'`, schema.sql) splits at what is
no letter, digit or mark, lower-cases and stems. This package prepares what it cannot do, for texts and queries alike:

- letters: width, case, accents, strokes (ł, đ, ø), vowel points and digits of every script become plain ones;
- scripts written without spaces become overlapping pairs of graphemes: 数据库 → 数据 据库 库;
- an emoji becomes one private-use letter, so that it is a token; skin tones and variation selectors fall away;
- hiragana and katakana are one;
- C++, C#, F#, .NET become cplusplus, csharp, fsharp, dotnet; don't becomes dont, Maya's stays maya and s.

Everything that reads a text goes through `fold.index_text`, so a query, a highlight and the index cannot disagree.
`spellings` tells how else ids, numbers and compounds are written: behind the text in the index, beside the term in a
query. Which fold made a mind's index stands in the mind (`store/refold.py`).
"""
