-- Which columns the searches cover. Requests read this table, so adding its columns is a short transaction of its own.

alter table private.content_kinds
  -- The columns that the search of the kind's list covers, and those that the search over everything covers besides the title.
  add column listed_columns text[] not null default '{title}',
  add column searched_columns text[] not null default '{}';
update private.content_kinds as k set listed_columns = c.listed, searched_columns = c.searched
from (values ('articles', '{title,content}'::text[], '{content}'::text[]),
  ('useful_links', '{title,description,category}', '{description,category,url}'),
  ('code_samples', '{title,description,code_content}', '{description,language,code_content}')
) as c (content_table, listed, searched)
where k.content_table = c.content_table;
