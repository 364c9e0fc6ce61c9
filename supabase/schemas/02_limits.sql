-- Limits of texts and of what a member may store (contract).

create domain public.short_text as text check (char_length(value) <= 1000);
create domain public.skill_name as text check (char_length(value) <= 100);
create domain public.description as text check (char_length(value) <= 20000);
create domain public.long_text as text check (char_length(value) <= 500000);
create domain public.years as integer check (value between 0 and 80);

-- Addresses follow the rule for Markdown (specification §2, react-markdown's defaultUrlTransform): they are relative, with
-- no colon before the first '/', '?' or '#', or have one of six schemes.
create domain public.web_address as text
  check (char_length(value) <= 4000)
  constraint web_address_scheme_check
    check (value collate "C" ~* '^([^:/?#]*([/?#]|$)|(https?|ircs?|mailto|xmpp):)');

create function private.max_bytes_of_rows() returns bigint
  language sql immutable set search_path = '' as 'select 100 * 1024 * 1024::bigint';
create function private.max_bytes_of_versions() returns bigint
  language sql immutable set search_path = '' as 'select 100 * 1024 * 1024::bigint';
create function private.max_skills() returns integer
  language sql immutable set search_path = '' as 'select 200';
-- Each row counts at least this much, because small rows also take space in indexes.
create function private.min_bytes_of_row() returns integer
  language sql immutable set search_path = '' as 'select 1000';
