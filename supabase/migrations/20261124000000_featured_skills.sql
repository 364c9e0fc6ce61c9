-- Empty texts and nulls passed the bound on their characters by the hundred thousand, and lists of lists are no list of
-- skills. Not valid: rows from before stay readable and deletable. In order, because array_position takes no list of lists.
alter table public.profiles
  add constraint profiles_featured_skills_check check (
    case when array_ndims(featured_skills) > 1 then false
    else cardinality(featured_skills) <= 1000 and array_position(featured_skills, null) is null end
  ) not valid;
