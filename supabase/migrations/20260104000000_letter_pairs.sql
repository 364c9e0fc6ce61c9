-- Trigrams serve no search for one or two letters, nor one in which no three of them stand side by side. Such a
-- search reads the whole table when hardly any row holds what it looks for. Pairs of neighbours serve it.

/*
 * Returns the characters of a text and its pairs of neighbours, in lower case, each once; and İ, as it is, for a text
 * with one of the two capitals beyond ASCII whose small letters are ASCII (İ and the sign of kelvin). A trigram index
 * of a database with the character type C does not know that these two are letters, and finds no word that holds one.
 */
create function extensions.letter_pairs(content text) returns text[]
  language plpgsql immutable strict parallel safe set search_path = '' as $$
declare
  letters text[] := string_to_array(lower(content), null);
begin
  return array(
    with pairs as materialized (
      select distinct one || coalesce(next, '') as pair from unnest(letters, letters[2:]) as neighbours (one, next)
    )
    select pair from pairs
    union select left(pair, 1) from pairs
    union select U&'\0130' where strpos(content, U&'\0130') > 0 or strpos(content, U&'\212A') > 0
  );
end $$;

create function extensions.holds_pairs(content text, pairs text[]) returns boolean
  language sql immutable strict parallel safe
  return extensions.letter_pairs(content) operator(pg_catalog.@>) pairs;

-- Both are for everybody, as those of pg_trgm are: whoever writes a row evaluates its indexes.

-- What an API knows is operators: `content=cs.{zy}` asks for the texts that hold this pair.
create operator public.@> (leftarg = text, rightarg = text[], function = extensions.holds_pairs);

create index articles_pairs_search_idx on public.articles
  using gin (extensions.letter_pairs(title), extensions.letter_pairs(content));
create index useful_links_pairs_search_idx on public.useful_links
  using gin (extensions.letter_pairs(title), extensions.letter_pairs(description), extensions.letter_pairs(category));
create index code_samples_pairs_search_idx on public.code_samples
  using gin (extensions.letter_pairs(title), extensions.letter_pairs(description), extensions.letter_pairs(code_content));
create index profiles_pairs_search_idx on public.profiles
  using gin (extensions.letter_pairs(full_name), extensions.letter_pairs(username));

-- Behind row-level security the planner may not use what it would learn of them by taking thousands of texts to pieces.
alter index public.articles_pairs_search_idx
  alter column 1 set statistics 0, alter column 2 set statistics 0;
alter index public.useful_links_pairs_search_idx
  alter column 1 set statistics 0, alter column 2 set statistics 0, alter column 3 set statistics 0;
alter index public.code_samples_pairs_search_idx
  alter column 1 set statistics 0, alter column 2 set statistics 0, alter column 3 set statistics 0;
alter index public.profiles_pairs_search_idx
  alter column 1 set statistics 0, alter column 2 set statistics 0;
