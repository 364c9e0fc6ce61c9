-- People are found by username, which may hold 10,000 characters: too many for an index in order.
create index profiles_username_idx on public.profiles using hash (username);
