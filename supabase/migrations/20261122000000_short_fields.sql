-- One row must not swell every page. Longer values from before stay readable and deletable: the constraints are
-- "not valid", so only what is written from now on is checked.

alter table public.profiles
  add constraint profiles_short_fields_check check (
    char_length(username) <= 10000 and char_length(full_name) <= 10000 and char_length(current_title) <= 10000
    and char_length(company) <= 10000 and char_length(avatar_url) <= 10000 and char_length(linkedin_url) <= 10000
    and char_length(array_to_string(featured_skills, '')) <= 10000
  ) not valid;

alter table public.skills
  add constraint skills_short_fields_check check (char_length(name) <= 10000) not valid;

alter table public.articles
  add constraint articles_short_fields_check check (char_length(title) <= 10000) not valid;

alter table public.useful_links
  add constraint useful_links_short_fields_check check (
    char_length(title) <= 10000 and char_length(url) <= 10000 and char_length(category) <= 10000
  ) not valid;

alter table public.code_samples
  add constraint code_samples_short_fields_check check (char_length(title) <= 10000) not valid;
