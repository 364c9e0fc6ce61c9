-- PostgreSQL knows times before the year 1 and `-infinity`; no page, feed or program of JavaScript can show them.

create or replace function private.cap_created_at() returns trigger language plpgsql set search_path = '' as $$
begin
  new.created_at := greatest(least(new.created_at, now()), '0001-01-01 00:00:00+00');
  return new;
end
$$;
