-- `strpos` takes three quarters of the time of `like` to find that a letter is not there.

/*
 * The items of one content page as JSON with their authors: what specification §5 finds, in the order of the list
 * (by time of creation, then by id), from behind a cursor on; with `backwards` what is before it, nearest first.
 */
create or replace function public.search_content(
  content_table text,
  search_text text default '',
  search_author text default '',
  oldest_first boolean default false,
  cursor_time timestamptz default null,
  cursor_id uuid default null,
  backwards boolean default false,
  page_size integer default 60
) returns setof json
  language plpgsql stable security invoker
  set search_path = '' set enable_seqscan = off set jit = off as $$
declare
  few_authors constant integer := 50;
  owner_column constant text := case content_table when 'articles' then 'author_id' else 'profile_id' end;
  fields constant text[] := case content_table
    when 'articles' then array['title', 'content']
    when 'useful_links' then array['title', 'description', 'category']
    when 'code_samples' then array['title', 'description', 'code_content'] end;
  folded constant text := regexp_replace(extensions.fold_case(search_text), '([\\%_])', '\\\1', 'g');
  folded_author constant text := regexp_replace(extensions.fold_case(search_author), '([\\%_])', '\\\1', 'g');
  is_newer constant boolean := oldest_first <> backwards;
  in_order constant text := format('order by t.created_at %s, t.id %s',
    case when is_newer then 'asc' else 'desc' end, case when backwards then 'desc' else 'asc' end);
  behind text := 'true';
  holds_text text := 'true';
  may_hold_text text := 'true';
  by_author text := 'true';
  first_letter constant text := left(extensions.fold_case(search_text), 1);
  has_first_letter constant text := '(strpos(t.%1$I collate "C", $8) > 0 or strpos(t.%1$I collate "C", upper($8)) > 0)';
  is_indexed boolean;
  authors uuid[];
  ids uuid[];
begin
  if fields is null then
    raise exception 'unknown content table' using errcode = '22023';
  end if;
  if cursor_time is not null then
    behind := format('t.created_at %1$s= $4 and (t.created_at %1$s $4 or t.id %2$s $5)',
      case when is_newer then '>' else '<' end, case when backwards then '<' else '>' end);
  end if;
  if search_text <> '' then
    -- Folding costs four times as much as `ilike`, which goes first: by bytes where the text is ASCII (two of its letters
    -- may stand for a capital beyond it), else with both small sigmas left open. Where a first letter is rare, `strpos`
    -- finds sooner that it is not there; where it is common, it is found at once.
    select '(' || string_agg(format('extensions.fold_case(t.%I) like $1', field), ' or ') || ')',
      '(' || string_agg(format(case
        when folded ~ '[^[:ascii:]]' then 't.%1$I ilike translate($1, U&''\03C3'', ''_'')'
        when folded ~ '[ik]' then
          has_first_letter || ' and t.%1$I collate "C" ilike $1
            or t.%1$I like U&''%%\0130%%'' or t.%1$I like U&''%%\212A%%'''
        else has_first_letter || ' and t.%1$I collate "C" ilike $1' end, field), ' or ') || ')'
      into holds_text, may_hold_text from unnest(fields) as field;
  end if;
  if search_author <> '' then
    authors := array(
      select p.id from public.profiles p
      where extensions.fold_case(p.full_name) like '%' || folded_author || '%'
        or extensions.fold_case(p.username) like '%' || folded_author || '%'
      limit few_authors + 1);
    -- Of many authors there are items nearby: the items' own authors are looked at, in the order of the list.
    by_author := format(case
      when cardinality(authors) <= few_authors then 't.%I = any ($3)'
      else '(select extensions.fold_case(p.full_name) like $2 or extensions.fold_case(p.username) like $2
        from public.profiles p where p.id = t.%I)' end, owner_column);
  end if;
  -- The trigrams of a database with the character type C know no letters beyond ASCII.
  is_indexed := folded ~ '[a-z0-9]{3}' or cardinality(authors) <= few_authors;

  if is_indexed then
    -- Common matches are near. An index would collect and sort all of them, rare ones it finds at once.
    execute format('
      select case when cardinality(found) = $6 or (select count(*) from (select from public.%1$I t where %2$s %3$s limit $7) as t) < $7
        then found end
      from (select array(
        select t.id from (select * from public.%1$I t where %2$s %3$s limit $7) as t
        where %4$s and %5$s and %6$s %3$s limit $6) as found) as near',
      content_table, behind, in_order, by_author, may_hold_text, holds_text)
      into ids using '%' || folded || '%', '%' || folded_author || '%', authors, cursor_time, cursor_id,
        page_size, 60 * page_size, first_letter;
    if ids is null then
      execute format('
        with found as materialized (select t.id, t.created_at from public.%I t where %s and %s and %s)
        select array(select t.id from found t %s limit $6)',
        content_table, behind, by_author, holds_text, in_order)
        into ids using '%' || folded || '%', '%' || folded_author || '%', authors, cursor_time, cursor_id, page_size;
    end if;
  else
    execute format('select array(select t.id from public.%I t where %s and %s and %s and %s %s limit $6)',
      content_table, behind, by_author, may_hold_text, holds_text, in_order)
      into ids using '%' || folded || '%', '%' || folded_author || '%', authors, cursor_time, cursor_id,
        page_size, 60 * page_size, first_letter;
  end if;

  return query execute format('
    select row_to_json(item) from (
      select t.*, json_build_object(''username'', p.username, ''full_name'', p.full_name) as profiles
      from unnest($1) with ordinality as found (id, place)
      join public.%I t using (id) join public.profiles p on p.id = t.%I
      order by found.place) as item', content_table, owner_column)
    using ids;
end $$;
