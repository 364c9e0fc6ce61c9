-- A small site is complete at once. A large one fills the table in steps after its start.
do $$
begin
  for step in 1 .. 10 loop
    exit when public.fill_search(1000) = 0;
  end loop;
end
$$;
