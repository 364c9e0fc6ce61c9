-- A pattern cannot say what a text holds when that is a star, which PostgREST reads as anything, or a sigma, whose two
-- small letters `ilike` takes for two. Whatever such a pattern finds in vain is read and thrown away, row by row.

/* Returns whether a text holds the first of these texts, cases aside, as the search in the browser has it. */
create function extensions.holds_text(content text, texts text[]) returns boolean
  language sql immutable strict parallel safe
  return strpos(
    translate(lower(translate(content, U&'\0130\212A', 'ik')), 'ς', 'σ'),
    translate(lower(translate(texts[1], U&'\0130\212A', 'ik')), 'ς', 'σ')
  ) > 0;

-- For everybody, and as an operator: `content=ov.{"***"}`.
create operator public.&& (leftarg = text, rightarg = text[], function = extensions.holds_text);
