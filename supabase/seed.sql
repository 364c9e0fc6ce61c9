-- Demonstration content: members, their skills, articles, links and code samples. The members are invented, but the
-- links lead to real documentation. Loaded by SEED=demo and by the Supabase CLI (`supabase db reset`).
--
-- Every row has a fixed id and is inserted only if it is missing, so loading this file again changes nothing.
-- Dates are relative to the time of loading, so that a new site's newest article is less than two days old.
-- The lists below identify members by the first part of their email addresses.

-- The accounts have no passwords. With SEED=demo, the server gives one to the member who joined first.
insert into auth.users (
  instance_id, id, aud, role, email, encrypted_password, email_confirmed_at,
  confirmation_token, recovery_token, email_change_token_new, email_change_token_current, email_change,
  phone_change, phone_change_token, reauthentication_token,
  raw_app_meta_data, raw_user_meta_data, created_at, updated_at
)
select
  '00000000-0000-0000-0000-000000000000', seed.id::uuid, 'authenticated', 'authenticated',
  seed.member || '@techfolio.example', '', now() - seed.age::interval,
  '', '', '', '', '', '', '', '',
  '{"provider": "email", "providers": ["email"]}', '{"email_verified": true}',
  now() - seed.age::interval, now() - seed.age::interval
from (values
  ('f5057fee-4c3e-4459-82dd-21250b729601', 'ines', '243 days 2 hours'),
  ('f41fcb28-e1ec-4229-9aa5-148c01a8c3f5', 'tomasz', '241 days 7 hours'),
  ('b7b3ff7b-623d-48df-8cd5-8cc6f137bdc5', 'folake', '238 days 4 hours'),
  ('e52fec14-2d75-4a6a-8584-0f4ce50ee168', 'misaki', '230 days 9 hours'),
  ('43c243ee-0945-46ce-9f76-663f8330df68', 'priya', '224 days 6 hours'),
  ('d01e13be-235f-461f-8392-3dd14744f3e0', 'gudrun', '217 days 3 hours'),
  ('d8aaa1f6-d2b6-41ba-9e97-f5f843c901ee', 'olena', '211 days 8 hours'),
  ('44d09f3d-38c2-4ebb-95ba-b91cd20b52cf', 'quietloop', '204 days 5 hours'),
  ('54dc7651-89f8-46dc-9f93-26be5a7eff0d', 'chau', '190 days 10 hours'),
  ('dd75ef1b-a557-4e75-83c8-396ebe77367b', 'lucas', '183 days 2 hours'),
  ('31146644-0f9e-4cd3-a7aa-e4a6ac9448a7', 'layla', '171 days 7 hours'),
  ('b8134e77-a4c9-427d-af6c-72f9b192e0d9', 'otter', '158 days 6 hours'),
  ('5372f53f-f952-4fef-8839-5aad5fac0dba', 'siobhan', '142 days 4 hours'),
  ('abda62a8-5732-41ef-8c00-31d8dc083c34', 'mateo', '120 days 8 hours'),
  ('93d544be-eeee-4355-af02-14835508e050', 'gardener', '96 days 3 hours'),
  ('6513270e-269e-4d37-b2a7-4de452e6b438', 'naama', '61 days 5 hours'),
  ('d23f0824-128b-4f33-8c5c-7fd0a6a3a450', 'rahul', '40 days 7 hours'),
  ('9531985d-5d9d-49f8-9818-e811892f902b', 'kwabena', '12 days 9 hours')
) as seed (id, member, age)
on conflict do nothing;

insert into auth.identities (
  provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at
)
select
  id::text, id,
  jsonb_build_object('sub', id, 'email', email, 'email_verified', true, 'phone_verified', false),
  'email', created_at, created_at, created_at
from auth.users
where email like '%@techfolio.example'
on conflict (provider_id, provider) do nothing;

-- A trigger has created an empty profile for each account. Fill it, unless it already has a username.
insert into public.profiles (
  id, username, full_name, current_title, company, years_experience, featured, featured_skills, bio, avatar_url
)
select
  account.id, seed.username, seed.full_name, seed.current_title, seed.company, seed.years_experience,
  seed.featured, string_to_array(seed.featured_skills, ', '), seed.bio,
  -- The other members show their initials.
  case when seed.member in ('ines', 'folake', 'misaki', 'lucas', 'siobhan', 'kwabena')
    then '/portraits/' || seed.member || '.svg' end
from (values
  ('ines', 'ines_carvajal', 'Inés Carvajal Muñoz', 'Data Engineering', 'Puerto Claro Logistics', 14, true,
   'Python, PostgreSQL, Data pipelines, dbt',
   'I move data between ships, ports and spreadsheets, and I like my pipelines dull. Fourteen years of on-call taught me that anything worth running is worth running twice. Valparaíso, mostly; sometimes Málaga.'),
  ('tomasz', 'tomasz.wisniewski', 'Tomasz Wiśniewski', 'Database Engineering', 'Bursztyn Data Services', 24, true,
   'PostgreSQL, Query tuning, Migrations without downtime',
   'I have looked after other people''s databases since 2002, and I still enjoy a good query plan more than a good film. Ask me about locks.'),
  ('folake', 'folake', 'Fọlákẹ́ Adéyẹmí', 'Cloud Architecture', 'Lagoon Health', 17, true,
   'AWS, Event-driven systems, Cost-aware design',
   'I design systems for clinics where the power goes out, so I take queues and retries personally. Lagos and remote. I mentor two people a year; write to me in January.'),
  ('misaki', 'misaki_sato', '佐藤 美咲', 'Site Reliability Engineer', 'Minato Payments', 11, false,
   'SLOs, Incident response, Python',
   'Eleven years of pagers. I write runbooks that can be followed at three in the morning by somebody who is not me.'),
  ('priya', 'priya.r', 'Priya Raghunathan', 'Machine Learning Engineering', 'Kaveri Energy', 9, true,
   'Python, scikit-learn, Model monitoring',
   'I forecast how much electricity a city will want tomorrow. Most of my work is making sure that the model sees in production what it saw in training.'),
  ('gudrun', 'gudrun', 'Guðrún Jónsdóttir', 'Analytics Engineer', 'Hafnarbúð', 8, false,
   'SQL, dbt, Window functions',
   'I turn raw tables into numbers that people can agree about. Reykjavík. Knits in the dark half of the year.'),
  ('olena', 'olena_k', 'Олена Ковальчук', 'Security Engineering', 'Sviazok', 12, true,
   'IAM, Threat modelling, Secure Python',
   'I break into things by appointment and then help to close the door. Fewer secrets, shorter lives, smaller permissions.'),
  ('quietloop', 'quietloop', '', 'Backend Developer', null, 7, false,
   'asyncio, TypeScript, PostgreSQL',
   null),
  ('chau', 'minhchau', 'Nguyễn Thị Minh Châu', 'Data Analyst', 'Sông Hồng Markets', 4, false,
   'SQL, Spreadsheets, Storytelling',
   'I came to SQL from accounting, by way of one spreadsheet too many. I write for people who are making the same journey.'),
  ('lucas', 'lucasbrandao', 'Lucas Ferreira Brandão', 'Platform Engineer', 'Ipê Platforms', 10, false,
   'Terraform, Lambda, Developer experience',
   'My product is other people''s fast Mondays. I delete more YAML than I write.'),
  ('layla', 'layla.haddad', 'ليلى حداد', 'Lecturer in Databases', 'Beirut Open Classroom', 19, false,
   'Teaching, SQL, Python for beginners',
   'I have taught databases to nineteen classes and learned something new about NULL from each of them.'),
  ('otter', 'indie_otter', '', 'Indie Developer', null, 6, false,
   'SQLite, JavaScript, Small servers',
   'One person, one product, one server. I answer the support mail too, so I build things that do not need any.'),
  ('siobhan', 'siobhan_nid', 'Siobhán Ní Dhomhnaill', 'FinOps Consultant', 'Corrib Cloud Costs', 13, false,
   'Cost Explorer, AWS billing, Athena',
   'I read cloud bills the way other people read crime novels: it is nearly always somebody in the house.'),
  ('mateo', 'mateo_qh', 'Mateo Quispe Huamán', 'Hydrologist and Data Scientist', 'Andes Water Observatory', 6, false,
   'Polars, PostGIS, Time series',
   ''),
  ('gardener', 'query_gardener', '', '', null, null, false,
   'SQL',
   null),
  -- These members have published nothing yet.
  ('naama', 'naama_levi', 'נעמה לוי', 'Streaming Data Engineer', 'Galil Telemetry', 15, false,
   'Kafka, Python, Exactly-once delivery',
   'I keep sensors and dashboards on speaking terms.'),
  ('rahul', 'rahul-d', 'राहुल देशपांडे', 'Cloud Engineer', 'Sahyadri Hosting', 3, false,
   'AWS, Terraform',
   null),
  ('kwabena', 'kwabena.osei', 'Kwabena Osei', 'Database Administrator', 'Volta Mutual', 21, false,
   'PostgreSQL, Backups, Patience',
   'I have restored more databases than I have lost, which is none.')
) as seed (
  member, username, full_name, current_title, company, years_experience, featured, featured_skills, bio
)
join auth.users as account on account.email = seed.member || '@techfolio.example'
on conflict (id) do update set
  username = excluded.username,
  full_name = excluded.full_name,
  current_title = excluded.current_title,
  company = excluded.company,
  years_experience = excluded.years_experience,
  featured = excluded.featured,
  featured_skills = excluded.featured_skills,
  bio = excluded.bio,
  avatar_url = excluded.avatar_url
where profiles.username is null;

insert into public.skills (id, profile_id, category, name, proficiency, years_experience)
select seed.id::uuid, account.id, seed.category, seed.name, seed.proficiency, seed.years_experience
from (values
  ('c24d025b-749f-4882-8e29-d80fb9f16842', 'ines', 'python', 'Pipelines with psycopg and asyncio', 5, 9),
  ('fa50dad1-f12a-41f0-9a18-19980e199f78', 'ines', 'python', 'Polars and pandas', 4, 8),
  ('657bf824-c301-4403-be88-c45db5a0e105', 'ines', 'python', 'pytest', 4, 10),
  ('047e2168-6e50-4ddc-ace8-8f9bcedc842f', 'ines', 'sql', 'PostgreSQL', 5, 13),
  ('0180d5e1-945c-407b-8118-9866d29e6868', 'ines', 'sql', 'Data modelling', 5, 12),
  ('54920444-b948-4159-a8ce-b6fbfc188d19', 'ines', 'aws', 'Glue and Athena', 4, 6),
  ('e06b6ca7-cc90-4e10-9a66-c6ae7e790030', 'ines', 'aws', 'S3', 4, 9),
  ('0b62aff1-f0a3-417a-aa8f-f4e9e1482dc5', 'ines', 'tools', 'dbt', 5, 7),
  ('085f4bc0-2132-4f32-9747-d1dfafee2375', 'ines', 'tools', 'Airflow', 4, 8),
  ('54ef6e27-2222-4d3c-ab6b-0eed339364f8', 'tomasz', 'sql', 'PostgreSQL administration', 5, 22),
  ('40797c0d-b39b-44e9-b624-06a0162ef271', 'tomasz', 'sql', 'Query tuning', 5, 21),
  ('2ccaafae-bea4-4bc0-9d02-ae8d63f96bd0', 'tomasz', 'sql', 'Replication and failover', 5, 15),
  ('d36173ae-83cb-4775-a04b-29c4e8a2c121', 'tomasz', 'python', 'Automation scripts', 3, 11),
  ('8a86387f-6757-4342-97d3-c89b151d1f66', 'tomasz', 'aws', 'RDS and Aurora', 4, 9),
  ('e945af39-de42-48db-bc90-d5c512be0517', 'tomasz', 'tools', 'Linux', 5, 24),
  ('483a045e-569f-42a7-98fb-cb36633645b4', 'tomasz', 'tools', 'pgBackRest', 4, 8),
  ('fda1e09a-1bcb-4b4f-bc50-0d2b8201010f', 'folake', 'aws', 'SQS, SNS and EventBridge', 5, 11),
  ('afe72170-2833-445b-88cf-d026790c080e', 'folake', 'aws', 'Lambda and Fargate', 5, 10),
  ('dc69c097-d76f-4676-980d-5af781dd4c8d', 'folake', 'aws', 'IAM and Organizations', 5, 12),
  ('77a635ea-7bea-4505-ad66-b1e3bb27675e', 'folake', 'aws', 'DynamoDB', 4, 8),
  ('78ad8549-325e-44c6-9508-1262bc684bdd', 'folake', 'python', 'boto3', 4, 10),
  ('808dcdcd-7ce4-4aba-915b-b3b91a611bbf', 'folake', 'sql', 'Aurora PostgreSQL', 3, 7),
  ('e25d488e-1b88-4cda-ab37-c4834efc09f5', 'folake', 'tools', 'Terraform', 5, 9),
  ('329ca4bb-0dea-4b15-aced-c7d84e30ba5f', 'misaki', 'python', 'Services and tooling', 4, 9),
  ('26399a07-9270-4cdf-9803-1931c0b9f94a', 'misaki', 'sql', 'PostgreSQL', 3, 7),
  ('6fcc435e-da14-4933-96bb-3d51d9b302fc', 'misaki', 'aws', 'EC2 and Auto Scaling', 4, 9),
  ('33340229-3746-4484-ac4c-2759b23ed3c6', 'misaki', 'aws', 'CloudWatch', 4, 9),
  ('8388cbba-60c0-40e1-8b3a-a849a667317b', 'misaki', 'tools', 'Prometheus', 5, 8),
  ('5018c5a3-91f3-46af-94ff-2f9d15565fb4', 'misaki', 'tools', 'Kubernetes', 4, 6),
  ('78af5fc2-d1fc-40ed-9303-634bb73bc49e', 'priya', 'python', 'scikit-learn', 5, 8),
  ('37b08fe0-4ce7-420c-bacc-9e78c2da23f0', 'priya', 'python', 'NumPy and pandas', 5, 9),
  ('38a2aed1-cdca-43dd-9ece-10ce83b1d8a2', 'priya', 'python', 'PyTorch', 4, 5),
  ('cfe9facc-05ca-46e4-89cd-3f1cbd5cf9f4', 'priya', 'sql', 'Feature queries', 4, 7),
  ('6bcb4e60-568a-4b40-8622-1e36ccbc0789', 'priya', 'aws', 'SageMaker', 3, 4),
  ('7a3e82ac-64d6-4078-838d-481268345b63', 'priya', 'tools', 'MLflow', 4, 5),
  ('6cfe861b-c2c5-411c-82ff-c1d4f9d18a93', 'priya', 'tools', 'Docker', 3, 6),
  ('eb0bdaf6-6848-4701-b8dc-013e088ee5b3', 'gudrun', 'sql', 'Window functions', 5, 7),
  ('92a1bb2c-d421-475f-b613-903b6167b2c8', 'gudrun', 'sql', 'Dimensional modelling', 4, 6),
  ('f7ca21d9-0382-4d83-8d7d-f849dfe0eb4a', 'gudrun', 'python', 'pandas', 3, 5),
  ('2a5067fd-0af8-488c-adab-b39e4a056deb', 'gudrun', 'tools', 'dbt', 5, 5),
  ('995fe164-fe00-4fe9-8615-38b9e14af0e9', 'gudrun', 'tools', 'Git', 4, 8),
  ('e6a13574-92a1-444f-9a5b-66244f22e077', 'olena', 'aws', 'IAM', 5, 10),
  ('936ad1a9-baa6-46a9-b7ef-b7176125ecb7', 'olena', 'aws', 'GuardDuty and CloudTrail', 4, 7),
  ('43366451-0dd2-45f5-925d-40c32138c17c', 'olena', 'python', 'Tooling for audits', 4, 9),
  ('f1408a61-ceca-466d-b88d-5ac745228d6e', 'olena', 'sql', 'Row-level security', 4, 6),
  ('3e7baf04-1125-4334-ae03-492a069442f6', 'olena', 'tools', 'Threat modelling', 5, 11),
  ('d2259ed3-5b69-4f3e-8482-3bd1882b9f24', 'olena', 'tools', 'GitHub Actions', 4, 6),
  ('9f3083b4-bda4-4120-b829-69974f8b5b68', 'quietloop', 'python', 'asyncio', 5, 6),
  ('938bb136-f4c7-451e-94c7-3257017d2342', 'quietloop', 'python', 'FastAPI', 4, 5),
  ('319ffc5b-eed9-4a17-91fd-c34432ee0b51', 'quietloop', 'sql', 'PostgreSQL', 4, 6),
  ('16406d0b-abe3-4501-97bb-93b7bac0d32d', 'quietloop', 'tools', 'TypeScript and Node', 4, 5),
  ('0927a1ef-0a37-4c81-afef-d5b4ce28a129', 'chau', 'sql', 'Reporting queries', 4, 4),
  ('0ac9440e-6256-4b35-8820-c0f8a5f6137a', 'chau', 'sql', 'BigQuery and Athena', 3, 2),
  ('56840f84-3c52-4aa1-8664-34f42c7eaf25', 'chau', 'python', 'pandas', 3, 2),
  ('956d8e90-cb02-4d44-8873-640f5744e43f', 'chau', 'tools', 'Metabase', 4, 3),
  ('16ed6ee0-da5a-4048-b10c-fdfed113b926', 'chau', 'tools', 'Spreadsheets', 5, 11),
  ('3443fbec-4d19-40b1-aca5-cfbc193fa914', 'lucas', 'aws', 'Lambda', 5, 7),
  ('016159f9-7d36-4fa8-bec1-08388e6b593e', 'lucas', 'aws', 'ECS and Fargate', 4, 6),
  ('7ca993eb-ae12-499a-b341-bdc61eed6863', 'lucas', 'python', 'Command-line tools', 4, 8),
  ('b095a1eb-8afc-403c-b9ee-9988c6770c41', 'lucas', 'sql', 'PostgreSQL', 2, 4),
  ('f6b161d1-fcc8-4633-a5cb-df185837806c', 'lucas', 'tools', 'Terraform', 5, 7),
  ('d8338c12-33cc-4892-acaf-ec97985d1583', 'lucas', 'tools', 'Docker', 5, 9),
  ('430f27e1-9687-4f72-bf47-4de21bb099f7', 'lucas', 'tools', 'Bash', 4, 10),
  ('7cee04d2-1b3c-436f-a093-e69bc35c9ce0', 'layla', 'sql', 'Relational theory', 5, 19),
  ('a2c95219-7250-4816-bba0-6123adf087ab', 'layla', 'sql', 'PostgreSQL', 4, 14),
  ('54afab8f-df3e-4cae-b892-c819e0301568', 'layla', 'python', 'Teaching beginners', 5, 12),
  ('80af15aa-d49f-4ed3-8d11-01700346d7d9', 'layla', 'tools', 'SQLite', 4, 10),
  ('c2ebbcb8-dcfb-48b6-b3d5-38a66ab8d33a', 'otter', 'python', 'Flask', 4, 6),
  ('56c007cb-da7f-463b-9398-a4e8d1672d66', 'otter', 'sql', 'SQLite', 5, 6),
  ('b520ea75-df03-40b4-9981-2a1a16e340d5', 'otter', 'tools', 'JavaScript', 4, 9),
  ('78977f67-fc5a-4760-868d-15897dfa3111', 'otter', 'tools', 'systemd and nginx', 4, 6),
  ('e6a367d9-5b6b-4d6a-a36a-fa4de4d6378c', 'otter', 'aws', 'Lightsail', 2, 1),
  ('9e80b0eb-eeeb-4b5a-8fa7-cecca2ac29e0', 'siobhan', 'aws', 'Cost Explorer and budgets', 5, 8),
  ('9972a55b-1911-4f43-95c3-0e10251a1335', 'siobhan', 'aws', 'Networking', 4, 9),
  ('d542a20b-70bf-4bda-8ab4-5b96bad5c1b1', 'siobhan', 'sql', 'Athena on billing data', 5, 6),
  ('732c6c3f-555c-47d8-9e64-49773648a0c7', 'siobhan', 'python', 'boto3', 3, 6),
  ('05af30c5-9e41-414f-b6b2-9134897b34b7', 'siobhan', 'tools', 'CloudFormation', 3, 7),
  ('5cd8a62a-5da1-4ad6-aa62-fd22ee859714', 'mateo', 'python', 'Polars', 4, 2),
  ('0abe3eea-9ba3-44a1-b0c2-221aa45e11b8', 'mateo', 'python', 'pandas', 5, 6),
  ('94ea3e31-5f4e-4263-b6b5-9b3640ca621a', 'mateo', 'sql', 'PostGIS', 4, 5),
  ('feabfdd6-437c-4c0a-864b-6680cfdc8b1c', 'mateo', 'aws', 'S3', 3, 3),
  ('7b55bad7-0635-491f-b180-0995be3a6d6c', 'mateo', 'tools', 'QGIS', 5, 8),
  ('6d90ea34-a13d-456d-b85a-68ad63f4478b', 'gardener', 'sql', 'Standard SQL', 4, 16),
  ('b69a9cc5-eadd-48c7-97b7-a4bd347655f2', 'gardener', 'sql', 'Oracle', 4, 14),
  ('0df13a7c-5a92-416b-93df-7865ff29e8ac', 'gardener', 'python', 'Scripting', 2, 3),
  ('316e2f5c-f32b-43da-9d82-04647eb51c68', 'gardener', 'tools', 'Bash', 3, 12),
  ('36f675cc-81e7-4ef5-a8e2-5d940ed90475', 'naama', 'python', 'Faust and asyncio', 4, 9),
  ('6b0d549b-6f03-475a-9600-a35a099950d8', 'naama', 'sql', 'Window functions', 4, 12),
  ('8d116ece-1738-47d9-bd9c-172411e20b8f', 'naama', 'aws', 'Kinesis', 4, 7),
  ('90c192cf-d3ac-44af-8f21-ddb66cad4a26', 'naama', 'tools', 'Kafka', 5, 11),
  ('a170b338-3926-4059-b28c-105d1fb17c23', 'naama', 'tools', 'Flink', 3, 4),
  ('0fd630f1-f29d-4da9-953f-48f1a09f76b5', 'rahul', 'aws', 'Lambda and Fargate', 3, 2),
  ('0cb1e29c-658c-4a14-95e6-0af593bd04cf', 'rahul', 'aws', 'IAM and Organizations', 3, 3),
  ('8e81973e-0bec-47b0-b898-d190f9ebdacc', 'rahul', 'tools', 'Terraform', 4, 3),
  ('6b4cb242-4a23-4596-a217-beaddbc496cb', 'rahul', 'python', 'boto3', 2, 2),
  ('92276658-1e27-41c0-8a6a-63ec24ede6a4', 'kwabena', 'sql', 'PostgreSQL administration', 5, 19),
  ('ae97ba94-d0ed-482f-8f6d-05584ef8aa38', 'kwabena', 'sql', 'Oracle', 4, 12),
  ('923a7369-94e3-4f91-9a61-dbe22e44158b', 'kwabena', 'tools', 'pgBackRest', 5, 9),
  ('18f135d2-5f55-4203-b018-50c5a38fd547', 'kwabena', 'aws', 'RDS and Aurora', 3, 6),
  ('907a70c3-1012-4037-b64c-e4228c38fb29', 'kwabena', 'python', 'Automation scripts', 2, 8)
) as seed (id, member, category, name, proficiency, years_experience)
join auth.users as account on account.email = seed.member || '@techfolio.example'
on conflict (id) do nothing;

insert into public.articles (id, author_id, created_at, title, published, content)
select seed.id::uuid, account.id, now() - seed.age::interval, seed.title, seed.published, seed.content
from (values
  ('9a42effa-944f-4391-b933-039e63a4a2ea', 'tomasz', '1 day 5 hours',
   'Read EXPLAIN from the inside out', true,
$md$Most people read a query plan from the top and give up at the third arrow. Start at the deepest node instead: it runs first, and the trouble usually begins there.

```sql
explain (analyze, buffers)
select c.name, sum(o.total)
from orders as o
join customers as c on c.id = o.customer_id
where o.placed_at >= date '2026-01-01'
group by c.name;
```

Then move outwards and ask each node three questions.

1. **Did the planner guess well?** Compare the estimated `rows` with the actual ones. A factor of two is nothing. A factor of a thousand explains every bad decision above it.
2. **How often did it run?** Times are *per loop*: `0.02 ms` with `loops=40000` is 0.8 seconds.
3. **What did it throw away?** `Rows Removed by Filter: 990000` is an index asking to be created.

| You see | It often means | Try |
| --- | --- | --- |
| Nested Loop, many loops | an estimate below is far too low | `analyze`, then [extended statistics](https://www.postgresql.org/docs/current/planner-stats.html) |
| Sort Method: external merge | the sort did not fit in memory | more `work_mem`, for this session only |
| Index Only Scan, many Heap Fetches | the visibility map is behind | `vacuum` the table |
| Seq Scan on a small table | nothing at all | leave it alone |

Trust buffers more than milliseconds. A warm cache flatters every query; the number of pages it had to touch does not change when the room is quiet. PostgreSQL 18 prints them with every `explain analyze`, without being asked.

> A plan is a confession. Let it finish before you pass sentence.

[Using EXPLAIN](https://www.postgresql.org/docs/current/using-explain.html) is the one chapter of the manual that I read again every year.$md$),
  ('849c13a5-7c61-4247-b928-e665924764cb', 'siobhan', '2 days 20 hours',
   'Seven lines on the bill, and what they are telling you', false,
$md$I read cloud bills for a living, and seven lines turn up on nearly every one. This is a draft: the prices are for N. Virginia, and I want to check them again before it goes out.

| Line | What it tells me | First move |
| --- | --- | --- |
| NAT gateway, bytes | S3 traffic goes out and comes back in | a gateway endpoint: no charge |
| public IPv4 addresses | $0.005 an hour each, used or idle | release what nothing answers on |
| EBS gp2 | nobody has looked since 2020 | gp3, up to 20 % less per GB |
| EBS snapshots | a script that makes and never deletes | a lifecycle policy |
| S3, incomplete uploads | invisible in the console's listing | abort them after 7 days |
| CloudWatch Logs ingestion | debug level in production | change the level, then set a retention |
| data transfer between zones | a chatty pair in two places | look at who talks to whom |

None of these needs a meeting. Two of them need one line:

```bash
aws ec2 describe-volumes --filters Name=volume-type,Values=gp2 \
  --query 'Volumes[].[VolumeId,Size]' --output table

aws ec2 describe-addresses \
  --query 'Addresses[?AssociationId==null].PublicIp' --output text
```

Before publishing:

- [x] gateway endpoints: still free for S3 and DynamoDB
- [x] ~~reserved instances~~ savings plans: a text of its own
- [ ] check each price against the page of the service
- [ ] a screenshot of Cost Explorer, grouped by *usage type*; grouping by service hides five of the seven
- [ ] ask a reader with a data platform: what is missing?

Meanwhile, the [VPC guide on gateway endpoints](https://docs.aws.amazon.com/vpc/latest/privatelink/gateway-endpoints.html) pays for itself before lunch.$md$),
  ('0022c49b-0882-49c7-877a-ddf43f0ef08e', 'olena', '4 days 3 hours',
   'Delete your access keys this week', true,
$md$The safest access key is the one that does not exist. Most teams can delete theirs this week, because a deployment has its own identity and can prove it to AWS without a secret.

GitHub signs a short statement for each job: *this is repository X, on branch Y*. A role in your account can decide to believe exactly that, and nothing more:

```json
{
  "Version": "2012-10-17",
  "Statement": [{
    "Effect": "Allow",
    "Principal": {
      "Federated": "arn:aws:iam::123456789012:oidc-provider/token.actions.githubusercontent.com"
    },
    "Action": "sts:AssumeRoleWithWebIdentity",
    "Condition": {
      "StringEquals": {
        "token.actions.githubusercontent.com:aud": "sts.amazonaws.com",
        "token.actions.githubusercontent.com:sub": "repo:example/shop:ref:refs/heads/main"
      }
    }
  }]
}
```

Read the `sub` line twice. With `StringLike` and `repo:example/*`, every repository of the organisation may deploy your shop; with `repo:exam*`, so may any stranger who registers a fitting name. It is the line that I look for first in an audit. A job with an `environment` has another `sub`, and repositories made since June 2026 carry numeric ids in theirs: copy the text from a real claim, not from an article.

| Who needs access | Instead of a key |
| --- | --- |
| a build job | OpenID Connect, as above |
| code on EC2, ECS or Lambda | the role that it already has |
| a person | IAM Identity Center, sessions of a few hours |
| a server of your own | IAM Roles Anywhere |

A week's plan:

- [ ] Monday: list the keys and when each was last used
- [ ] Tuesday: move the builds
- [ ] Wednesday: *deactivate* the rest, delete nothing yet
- [ ] Friday: nobody has called; delete

The [security best practices in IAM](https://docs.aws.amazon.com/IAM/latest/UserGuide/best-practices.html) begin with the same advice.$md$),
  ('2412d97b-5e62-4402-9be9-2eedbeb22e6e', 'ines', '8 days 7 hours',
   'Make the pipeline safe to run twice', true,
$md$Every pipeline I have been proud of could be run twice on the same day without anybody noticing. That property is worth more than any scheduler you can buy.

The trick is to choose a unit of work that can be replaced as a whole. For most of us it is a day.

```python
def load_day(connection, day, rows):
    with connection.transaction(), connection.cursor() as cursor:
        cursor.execute(
            "select pg_advisory_xact_lock(hashtext('sales'), %s)", [day.toordinal()]
        )
        cursor.execute("delete from sales where day = %s", [day])
        with cursor.copy("copy sales (day, store_id, amount) from stdin") as copy:
            for row in rows:
                copy.write_row((day, row.store_id, row.amount))
```

What these few lines buy:

- A retry needs no thought. Whatever the first attempt left behind is gone or was never visible.
- A backfill is a `for` loop over days.
- Two runs at once queue at the lock instead of doubling the revenue.

What quietly takes it away again:

| Habit | Do this instead |
| --- | --- |
| `date.today()` inside the transformation | pass the day in as an argument |
| appending without a key | replace the unit, or upsert on a real key |
| sending mail from the middle of the load | send it from a table of mails to be sent |
| reading "the latest file" | name the file after the day it describes |

Then test the promise literally: load a day, take a checksum of the table, load the day again, compare. It is the cheapest test in the repository and the only one that has ever woken nobody up.

I use [psycopg](https://www.psycopg.org/psycopg3/docs/) here because its `transaction()` and `copy()` read like the sentence I would say aloud.$md$),
  ('e1cca1b0-4d9b-4fc1-b19b-2fa528882315', 'quietloop', '13 days 2 hours',
   'Task groups changed how I write clients', true,
$md$I used to start background tasks the way some people start books: many at once, and without a plan for finishing them. Then Python 3.11 brought the task group.

The old habit, which loses errors and leaks tasks:

```python
results = await asyncio.gather(*(fetch(url) for url in urls))
```

If one fetch fails, `gather` raises at once and **the others keep running**, with nobody left to hear from them. The new habit:

```python
async def fetch_all(urls, limit=10):
    gate = asyncio.Semaphore(limit)

    async def one(url):
        async with gate, asyncio.timeout(5):
            return await fetch(url)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(one(url)) for url in urls]
    return [task.result() for task in tasks]
```

Nothing leaves the `async with` until every task is done. If one fails, the rest are cancelled, waited for, and then all the errors arrive together.

That is the part people stumble over: they come as an `ExceptionGroup`, and an ordinary `except` does not match what is inside. Use the star:

```python
try:
    pages = await fetch_all(urls)
except* TimeoutError as group:
    log.warning("%d pages timed out", len(group.exceptions))
```

Things I check in review now:

- `create_task` outside a group: who waits for it, and who sees its error?
- a semaphore *outside* the timeout, so that waiting in line does not count
- no `except Exception: pass` around an `await`; ~~it was only for the demo~~ it never is

For "some may fail, give me the rest", catch the error inside `one` and return it as a value. The group is for work that stands or falls together.

[Coroutines and tasks](https://docs.python.org/3/library/asyncio-task.html) documents it all.$md$),
  ('b536f7b7-d3e9-4415-ba14-ea33603c2eee', 'layla', '19 days 9 hours',
   'NULL is not a value, it is a shrug', true,
$md$Every autumn I ask my students what NULL equals, and every autumn half of them say "nothing". They are right twice: it means nothing, and it is equal to nothing, itself included.

Think of NULL as a shrug. *Is her birthday before mine?* Shrug. *Is it not before mine?* Still a shrug. SQL has three answers, and `where` keeps only the rows that say a clear yes.

| `a` | `b` | `a and b` | `a or b` |
| --- | --- | --- | --- |
| true | shrug | shrug | true |
| false | shrug | false | shrug |
| shrug | shrug | shrug | shrug |

From this one table follow all the classic surprises:

```sql
-- Students who are not on the list. Returns no row at all
-- as soon as one list entry is null.
select name from students
where id not in (select student_id from list);

-- Says what you meant.
select name from students as s
where not exists (select 1 from list as l where l.student_id = s.id);
```

`not in` asks "is it different from *every* entry?", and one shrug in the list spoils a clear yes.

The words to learn:

- `is null` and `is not null`: the way to ask about the shrug itself
- `is distinct from`: a comparison for which two shrugs are the same
- `coalesce(x, 0)`: the first that is not a shrug
- `count(*)` counts rows, `count(x)` counts answers

And a habit for those who make tables: write `not null` on every column, then take it away where a shrug is a true answer. *Left on* may well be unknown. *Enrolled on* never is.

> Do not ask what NULL is. Ask who shrugged, and why.

The manual keeps the full list under [comparison operators](https://www.postgresql.org/docs/current/functions-comparison.html).$md$),
  ('2cd5038e-8df2-4b44-8b7b-d84767518417', 'ines', '24 days 6 hours',
   'A data contract that people keep', false,
$md$A data contract fails when it is written by the team that reads the data and mailed to the team that makes it. This is a draft of how we do it now; comments are welcome.

What has survived eighteen months so far is one file per table, kept in the *producer's* repository and checked by the producer's own build:

```yaml
table: shipments
owner: harbour-operations
fresh_within: 2 hours
columns:
  shipment_id: { type: uuid, unique: true }
  left_port_at: { type: timestamptz, null_share_below: 0.02 }
  gross_weight_kg: { type: numeric, min: 0, max: 40000 }
```

Three rules keep it alive:

1. **It is executable or it is gone.** Every line becomes a query that runs after each load.
2. **Breaking it is allowed, silently breaking it is not.** A new column needs nothing. A removed one needs two weeks and a name.
3. **It is short.** Ten columns that somebody depends on, not the ninety that exist.

Still to write:

- [x] the smallest example that is not a toy
- [x] why the consumer must not own the file
- [ ] the check as SQL, for both PostgreSQL and DuckDB
- [ ] what we tell people when a contract is broken at night
- [ ] numbers: how many breaks were caught before and after$md$),
  ('7e629939-d0d5-41a3-99ae-403049809f5e', 'folake', '31 days 4 hours',
   'A queue needs three numbers and a graveyard', true,
$md$Putting a queue between two services takes an afternoon. Choosing its three numbers takes another one, and that second afternoon decides how well you sleep afterwards.

| Number | Where I start | What goes wrong otherwise |
| --- | --- | --- |
| visibility timeout | six times the function's timeout | the same message is worked on twice at once |
| `maxReceiveCount` | 5 | one poisoned message circles for days |
| retention of the dead-letter queue | 14 days | the evidence expires before Monday |

The last one is sneaky. In a standard queue a message keeps its *first* timestamp when it moves to the dead-letter queue, so the graveyard must keep messages longer than the queue that feeds it.

Then tell Lambda which messages failed. Without that, one bad message sends nine good ones round again:

```python
import json


def handler(event, context):
    failures = []
    for record in event["Records"]:
        try:
            handle(json.loads(record["body"]))
        except Exception:
            print("failed", record["messageId"])
            failures.append({"itemIdentifier": record["messageId"]})
    return {"batchItemFailures": failures}
```

This needs `ReportBatchItemFailures` on the event source mapping. If you forget it, the answer is ignored and every failed message counts as done, which is the worst of both worlds.

Before I call a queue finished:

- [ ] an alarm on the *age* of the oldest message, not on how many there are
- [ ] an alarm on the first message in the graveyard
- [ ] a redrive that somebody has practised on an ordinary Tuesday
- [ ] a handler that may see the same message twice, because it will

All of it is in [Using Lambda with Amazon SQS](https://docs.aws.amazon.com/lambda/latest/dg/with-sqs.html), spread over nine pages.$md$),
  ('1d3ccb54-2ffe-469a-a9eb-cf99c6c10ff7', 'gudrun', '40 days 8 hours',
   'Window functions, one question at a time', true,
$md$A window function answers one question about a row by looking at its neighbours, and it leaves the row where it is. Learn the questions, and the syntax will follow.

| The question | The function |
| --- | --- |
| What came before this row? | `lag(x)` |
| What share of the group is it? | `x / sum(x) over (…)` |
| Which is the newest of each? | `row_number()`, keep 1 |
| What is the total so far? | `sum(x) over (… order by …)` |
| Is this a new visit or the same one? | `lag` the time, then add up the breaks |

The last one is my favourite, because it looks impossible until you see the two steps:

```sql
with gaps as (
  select visitor, seen_at,
         seen_at - lag(seen_at) over w > interval '30 minutes' as is_break
  from page_views
  window w as (partition by visitor order by seen_at)
)
select visitor, seen_at,
       1 + count(*) filter (where is_break)
             over (partition by visitor order by seen_at) as visit
from gaps;
```

First mark each row that comes more than half an hour after the one before. Then count the marks so far. That count *is* the number of the visit.

Two traps:

- A running `sum(...) over (order by day)` includes **all rows of the same day**, because the default frame is `range`. Say `rows unbounded preceding` if you mean one row at a time.
- You cannot filter on a window in `where`: it has not happened yet. Wrap it in a `with`, as above.

In code review I ask for one thing: name the window (`window w as …`) as soon as it is used twice. It is the difference between a query and a riddle.

The [tutorial in the manual](https://www.postgresql.org/docs/current/tutorial-window.html) takes fifteen minutes.$md$),
  ('ade9f986-35e0-4f47-a26c-6efd43d51a70', 'otter', '48 days 1 hour',
   'One file, one server, four years: SQLite in production', true,
$md$My product has eleven thousand users, one server and one database file. It has been down for forty minutes in four years, and thirty of those were my fault, not SQLite's.

This is all the configuration that I have ever needed:

```python
import sqlite3


def connect(path):
    db = sqlite3.connect(path, timeout=5, autocommit=True)
    db.execute("pragma journal_mode = wal")
    db.execute("pragma synchronous = normal")
    db.execute("pragma foreign_keys = on")
    return db
```

- **WAL** lets readers read while one writer writes.
- **synchronous = normal** is safe with WAL: a power cut can cost the last transactions, never the file.
- **foreign_keys** is off by default, for reasons older than some of my users.
- **timeout** makes a second writer wait its turn instead of failing.

One rule matters more than the pragmas: begin a transaction that will write with `begin immediate`. A transaction that starts as a reader and turns writer halfway can be refused at once, timeout or not.

| | One file | A database server |
| --- | --- | --- |
| a read | microseconds, a function call | a network round trip |
| writers | one at a time | many |
| backup | `vacuum into`, or a streaming copy | a tool and a plan |
| several machines | no | yes |

The last row is the honest limit. On the day I need a second machine I will move, and I have kept the SQL plain enough for it.

- [x] a backup every hour, on another continent
- [x] restored once a month by a script that complains
- [ ] the move to a bigger server (planned for years, not needed yet)

SQLite's own page on [when to use it](https://www.sqlite.org/whentouse.html) is the least salesman-like text in our trade.$md$),
  ('503fb547-0f26-4393-a735-3fc0ac7480fa', 'lucas', '59 days 5 hours',
   'Cold starts: measure first, then delete imports', true,
$md$Our slowest endpoint spent 2.4 seconds starting and 90 milliseconds working. Nobody had measured it; everybody had an opinion about memory, and most of us were wrong.

Measure first. Lambda writes the time of each cold start into its report line, so CloudWatch Logs Insights can add it up:

```text
filter @type = "REPORT" and ispresent(@initDuration)
| stats count(*) as starts,
        pct(@initDuration, 50) as p50,
        pct(@initDuration, 99) as p99
  by bin(1d)
```

Then ask Python where it went. This works on a laptop, no cloud needed:

```bash
python -X importtime -c "import handler" 2>&1 | sort -t'|' -k2 -n | tail -5
```

The last lines are the most expensive imports, in microseconds. Ours looked like this:

| Import | Time | What we did |
| --- | --- | --- |
| pandas | 810 ms | used for one `groupby`: replaced by twelve lines |
| a PDF library | 430 ms | moved into the one function that needs it |
| boto3, three clients | 350 ms | one client, made outside the handler |
| settings from the network | 300 ms | read once, kept for five minutes |

Only *after* that did we turn knobs: more memory (CPU comes with it), `arm64`, and [SnapStart](https://docs.aws.amazon.com/lambda/latest/dg/snapstart.html), which restores a started process instead of starting one. Beware that everything unique must then be made **after** the restore: random seeds, connections, temporary names.

Result: 2.4 s became 0.5 s before the first knob, and 0.2 s after.

> The fastest import is the one you delete. The second fastest is the one inside the function that nobody calls.$md$),
  ('122dbbe7-2ce3-4c83-a7ce-6888e7f15ce4', 'mateo', '66 days 10 hours',
   'Polars after pandas: what changed in my head', false,
$md$After six years of pandas I moved one project to Polars, expecting speed. I got it, but what I kept was the way of thinking. Draft, with the benchmark still to come.

The same question in both: what did each station measure at most, per month?

```python
import pandas as pd

df = pd.read_csv("stations.csv", parse_dates=["at"])
df = df[df["level_m"].notna()]
df["month"] = df["at"].dt.to_period("M")
monthly = df.groupby(["station", "month"], as_index=False)["level_m"].max()
```

```python
import polars as pl

monthly = (
    pl.scan_csv("stations.csv", try_parse_dates=True)
    .filter(pl.col("level_m").is_not_null())
    .group_by("station", pl.col("at").dt.truncate("1mo").alias("month"))
    .agg(pl.col("level_m").max())
    .collect()
)
```

What changed in my head:

- **Nothing happens before `collect()`.** The filter moves into the reading of the file, and columns that I never mention are never parsed.
- **There is no index**, so there is no alignment by index, and a whole family of my bugs is gone.
- **An expression is a value.** I keep them in lists, build them in loops and test them alone.

What I miss: plotting with one call, and answers on the web that are older than two years.

To do:

- [x] both versions give the same numbers
- [ ] a fair benchmark: 40 GB of river levels, cold cache, same machine
- [ ] how it looks with pandas 3 and [copy-on-write](https://pandas.pydata.org/docs/user_guide/copy_on_write.html), which settles many of my old complaints

The [Polars user guide](https://docs.pola.rs/) is short enough to read on a train.$md$),
  ('529e2e01-6941-4425-a80b-36761792710a', 'chau', '78 days 3 hours',
   'SQL for people who think in spreadsheets', true,
$md$If you can build a pivot table, you already know more SQL than you think. You are missing about six words, and here they are, each next to the button that you used before.

| In the spreadsheet | In SQL |
| --- | --- |
| filter | `where` |
| remove duplicates | `select distinct` |
| VLOOKUP | `left join … on` |
| pivot rows | `group by` |
| pivot columns | `filter (where …)` |
| filter the pivot | `having` |

Sales by region, one column per quarter:

```sql
select r.name as region,
       sum(s.amount) filter (where extract(quarter from s.sold_on) = 1) as q1,
       sum(s.amount) filter (where extract(quarter from s.sold_on) = 2) as q2,
       count(*) as sales
from sales as s
left join regions as r on r.id = s.region_id
where s.sold_on >= date '2026-01-01'
  and s.sold_on < date '2026-07-01'
group by r.name
order by q2 desc nulls last;
```

Read it in the order in which it happens: `from`, `join`, `where`, `group by`, `select`, `order by`. Almost every beginner's error message makes sense once you know that `select` comes so late.

Three things that surprised me when I changed over:

1. **VLOOKUP takes the first match; a join takes all of them.** If the total grows after a join, the key on the right was not unique. Check it with `group by` and `having count(*) > 1`.
2. **An empty cell is not zero and not an empty text.** It is `null`, and `sum` leaves it out.
3. **There is no "first row"** until you say `order by`.

Keep the spreadsheet for the last step. It is still the best place in the world to argue about one number with five people.$md$),
  ('8bcbf5e0-9a05-4274-88ad-cba0bf53ac77', 'misaki', '92 days 7 hours',
   'Retries, budgets and the arithmetic of giving up', true,
$md$Three services in a row, each trying three times, turn one click into twenty-seven calls. Your retries are a load test that only ever runs when you are already down.

I now follow four rules, in this order.

1. **A deadline before a retry.** Decide how long the *user* will wait, and hand what is left of it to the next call.
2. **Retry in one layer only**, the one that knows what the operation means.
3. **Random waits.** Clients that failed together must not come back together.
4. **A budget.** When more than a tenth of the calls are retries, stop retrying.

The fourth is the one nobody has, and it fits on a postcard:

```python
class RetryBudget:
    """Earn a tenth of a retry with every call; spend a whole one on each retry."""

    def __init__(self, share=0.1, most=10.0):
        self.share, self.most, self.tokens = share, most, most

    def record_call(self):
        self.tokens = min(self.most, self.tokens + self.share)

    def may_retry(self):
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True
```

In quiet times the budget is full and single failures disappear. In an outage it empties within seconds, and the traffic that reaches the struggling service grows by a tenth instead of by a factor of twenty-seven.

| Answer | Retry? |
| --- | --- |
| connection refused, 503 | yes |
| timeout on a read | yes |
| timeout on a write | only with an idempotency key |
| 429 | after `Retry-After`, not before |
| 400, 401, 404 | never: it will be just as wrong the second time |

The chapter on [handling overload](https://sre.google/sre-book/handling-overload/) in Google's SRE book, where I first met the budget, is the best hour of reading on this.$md$),
  ('7e5b6c36-b148-421e-acf4-eb1f554aa9d7', 'tomasz', '107 days 2 hours',
   'Never OFFSET your way to page 900', true,
$md$Page 900 of your list is slow because the database reads 899 pages and throws them away. OFFSET does not skip rows, it counts them. Remember where you stopped instead.

```sql
select id, placed_at, total
from orders
where (placed_at, id) < ('2026-05-04 09:30:00+00', 81234)
order by placed_at desc, id desc
limit 20;
```

The two values are those of the last row that the reader has seen. The comparison of whole rows is standard SQL, and with the right index PostgreSQL walks straight to the spot:

```sql
create index orders_newest on orders (placed_at desc, id desc);
```

| | `offset 17980` | keyset |
| --- | --- | --- |
| rows read for one page | 18,000 | 20 |
| a row arrives while you read | one item shows up twice | nothing happens |
| jump to page 900 | yes | no |
| go back one page | yes | turn the order and the comparison round |

Three details people miss:

- **The order must be total.** Sort by `placed_at` alone, and two orders of the same instant can vanish between pages. The `id` breaks the tie.
- **Nulls have no place in the comparison.** Page over columns that are `not null`.
- **Mixed directions** (`a desc, b asc`) cannot be written as one row comparison. Spell out the `or`, or think again about the order.

And the jump to page 900? In twenty-four years one person has asked me for it. What he wanted was a search box.

Markus Winand has drawn all of this far better at [Use The Index, Luke](https://use-the-index-luke.com/no-offset).$md$),
  ('49259017-c70d-4c54-9ee9-b0d2eea03657', 'priya', '126 days 6 hours',
   'From notebook to module in four honest steps', true,
$md$A notebook is a wonderful place to think and a poor place to live. I move models out of it in four steps, and each of them is useful even if I never take the next.

1. **Restart and run all.** If that fails, nothing else matters. Fix the order of the cells first.
2. **Name what goes in and out.** Every cell that transforms becomes a function of its inputs, with no globals.
3. **Move the functions to a module**, and import them in the notebook, which shrinks to charts and prose.
4. **Test the properties, not the numbers.** The score will change. These should not:

```python
import pandas as pd
import pytest

from churn.features import build_features


@pytest.fixture
def customers():
    return pd.DataFrame({"id": [1, 2], "visits": [3, 0], "spend": [60.0, None]})


def test_order_does_not_matter(customers):
    backwards = build_features(customers[::-1])
    pd.testing.assert_frame_equal(backwards[::-1], build_features(customers))


def test_no_customer_is_lost(customers):
    assert len(build_features(customers)) == len(customers)


def test_nothing_is_missing_afterwards(customers):
    assert build_features(customers).notna().all(axis=None)
```

The first of these found that our "average of the last ten visits" was the average of the *file's* last ten rows. It had been in production for a year.

> If a feature cannot be computed for one customer, alone, at the moment of prediction, then it is not a feature. It is a leak.

For step three, `%load_ext autoreload` with `%autoreload 2` keeps the notebook in step with the module ([IPython docs](https://ipython.readthedocs.io/en/stable/config/extensions/autoreload.html)).$md$),
  ('e1af5f13-a7b9-4c27-b4cb-47e4f6cf5926', 'ines', '148 days 4 hours',
   'Load raw, check in SQL, publish once', true,
$md$Cleaning a file row by row in a loop hides the one question that matters: how much of today's delivery is wrong? Load all of it as text first, and ask the database.

```sql
create unlogged table staging_payments (
  line     bigint generated always as identity,
  paid_at  text,
  amount   text,
  currency text
);
```

Nothing can fail here, so nothing is lost. Now count the damage in one pass (`pg_input_is_valid` came with PostgreSQL 16):

```sql
select count(*) as lines,
       count(*) filter (where pg_input_is_valid(amount, 'numeric') is not true) as bad_amount,
       count(*) filter (where pg_input_is_valid(paid_at, 'timestamptz') is not true) as bad_time,
       count(*) filter (where (currency ~ '^[A-Z]{3}$') is not true) as bad_currency
from staging_payments;
```

Mind the `is not true`. A missing amount makes the test `null`, and a plain `not` would wave it through.

With the numbers on the table, the rules become a conversation instead of a surprise:

- under 0.1 % bad: publish the rest, keep the rejects with a reason;
- above it: publish nothing, and send the supplier the line numbers;
- ~~above it, at four in the afternoon on a Friday: publish and hope~~ no.

Publishing is one `insert … select` in one transaction. Readers see yesterday's table or today's, never the middle.

> Rejects are data too. Give them a table, a date and a person who reads it.

The chapter on [populating a database](https://www.postgresql.org/docs/current/populate.html) has the remaining tricks for speed; you will need fewer of them than you think.$md$),
  ('721d692d-7fc1-4d40-b947-75b36129f212', 'olena', '169 days 9 hours',
   'Injection is a type error', true,
$md$SQL injection was first described in 1998, and we still treat it as a matter of discipline. I prefer to see it as a type error: text was used where a query was wanted.

Here is the mistake in its modern clothes:

```python
cursor.execute(f"select * from users where email = '{email}'")
```

And here is the cure, as old as the disease:

```python
cursor.execute("select * from users where email = %s", [email])
```

The value travels beside the statement, never inside it. There is nothing to escape, hence nothing to forget.

What a parameter cannot carry is a *name*: a table, a column, a direction. Those never come from outside as text. Look them up in a list that you wrote yourself:

```python
from psycopg import sql

SORTABLE = {"name": "full_name", "newest": "created_at"}

query = sql.SQL("select * from users order by {}").format(
    sql.Identifier(SORTABLE[requested])  # KeyError: answer 400
)
```

Python 3.14 moves the rule into the language. A template string looks like an f-string, but it is *not* a `str`; whoever receives it can still tell the literal parts from the values:

```python
cursor.execute(t"select * from users where email = {email}")
```

psycopg 3.3 accepts these and sends the value as a parameter. One letter separates the hole from the cure, so let a linter watch the `f`: Ruff's rule S608 does.

- [ ] no `f"` and no `+` near `execute`
- [ ] the application's database role owns no table
- [ ] errors reach the log, not the visitor

Further reading: [PEP 750](https://peps.python.org/pep-0750/) and [OWASP's cheat sheet](https://cheatsheetseries.owasp.org/cheatsheets/SQL_Injection_Prevention_Cheat_Sheet.html).$md$),
  ('9ebd8bb4-e271-46aa-a130-5a8e0b66aafe', 'folake', '196 days 5 hours',
   'Lambda, Fargate or a plain instance?', true,
$md$Ask a room of architects whether to use Lambda or Fargate and you will get an argument. Ask how long the work takes and when it arrives, and you will get an answer.

| The work | I start with | Because |
| --- | --- | --- |
| arrives in bursts, ends in seconds | Lambda | nothing runs, nothing costs |
| steady all day, many connections | Fargate | a warm process and a pool you can reason about |
| longer than 15 minutes | Fargate, or AWS Batch | an invocation of Lambda ends there |
| needs a GPU, a kernel module or odd hardware | EC2 | it is still just a computer |
| one small site and one small team | one instance | you can hold it all in your head |

The mistake I see most is not the wrong row. It is choosing a row for the next five years.

Keep the decision cheap to reverse. The code that does the work takes plain values and returns plain values; one thin file per home translates:

```python
import json
import sys

from shop.pricing import price_basket


def lambda_handler(event, context):
    return {"total": price_basket(event["basket"])}


def main():
    print(price_basket(json.load(sys.stdin)))
```

With that in place I have moved a service from Lambda to Fargate in a day, and another one back again when its traffic dried up.

Two prices to look at before anything else: what it costs while *nobody* uses it, and what one more team has to learn. The first is on the bill. The second never is.

The [Well-Architected Framework](https://docs.aws.amazon.com/wellarchitected/latest/framework/welcome.html) says the same in several hundred pages. Read the questions; skip the adjectives.$md$),
  ('e586b0c1-f918-4b4e-9c25-5477fcabc31c', 'tomasz', '222 days 3 hours',
   'Change the schema while people are using it', true,
$md$A schema change that needs a millisecond can still stop your shop for ten minutes. It waits behind one long report, and everybody else then waits behind it.

So the first line of every migration I review is this one:

```sql
set lock_timeout = '2s';
```

If the lock is not free, the migration fails, nobody notices, and you try again. A failed deployment is cheaper than a queue of six hundred connections.

The second thing is to know which changes are quick in themselves:

| Change | What it does | Kinder way |
| --- | --- | --- |
| add a column with a constant default | instant since version 11 | none needed |
| `create index` | blocks writes while it builds | `create index concurrently` |
| add a foreign key or check | scans the table under lock | `not valid`, then `validate constraint` |
| `set not null` | scans the table under lock | a validated `check (x is not null)` first |
| change a column's type | often rewrites everything | new column, backfill, switch |

The pattern for a constraint on a big table, in two deployments:

```sql
alter table invoices
  add constraint total_not_negative check (total >= 0) not valid;

alter table invoices validate constraint total_not_negative;
```

The first statement holds new rows to the rule at once. The second reads the old ones without blocking reads or writes.

- [ ] Is `lock_timeout` set?
- [ ] Does the old code run against the new schema, and the new code against the old?
- [ ] Is the backfill in batches, each in its own transaction?

The page on [explicit locking](https://www.postgresql.org/docs/current/explicit-locking.html) lists who waits for whom. Print it. Mine is yellow by now.$md$)
) as seed (id, member, age, title, published, content)
join auth.users as account on account.email = seed.member || '@techfolio.example'
on conflict (id) do nothing;

insert into public.useful_links (id, profile_id, created_at, category, title, url, description)
select
  seed.id::uuid, account.id, now() - seed.age::interval, seed.category, seed.title, seed.url, seed.description
from (values
  ('9f216b03-b797-4851-a971-2bed2f3aae9c', 'ines', '9 hours', 'Python', 'psycopg 3: using COPY',
   'https://www.psycopg.org/psycopg3/docs/basic/copy.html',
   'The fastest way from a Python loop into a table, and still readable. Mind write_row and the types.'),
  ('fdce80b4-aa9c-424a-a000-aa1ada2bbfca', 'folake', '1 day 11 hours', 'AWS', 'AWS Well-Architected Framework',
   'https://docs.aws.amazon.com/wellarchitected/latest/framework/welcome.html',
   'Use it as a list of questions for a design review. The answers are yours.'),
  ('903788e4-08c5-406f-b15e-3d28855bbf30', 'gudrun', '3 days 2 hours', 'Data', 'DuckDB documentation',
   'https://duckdb.org/docs/',
   'A database for analysis in one file, without a server. Reads Parquet, CSV and JSON where they lie.'),
  ('e333193b-5337-4929-9d3e-4aa551cb86da', 'tomasz', '5 days 6 hours', 'SQL', 'PostgreSQL wiki: Don''t Do This',
   'https://wiki.postgresql.org/wiki/Don%27t_Do_This',
   'Half an hour of other people''s regrets: timestamp without time zone, not in, char(n) and more.'),
  ('79af8ecd-6910-42e1-8993-4c2689dec06a', 'quietloop', '7 days 4 hours', 'JavaScript', 'MDN: AbortSignal',
   'https://developer.mozilla.org/en-US/docs/Web/API/AbortSignal',
   'AbortSignal.timeout and AbortSignal.any have replaced every timer that I ever wrote around fetch.'),
  ('1d07f67f-8e01-45d0-8001-a6333e940096', 'olena', '10 days 8 hours', 'Security', 'IAM: how a policy is evaluated',
   'https://docs.aws.amazon.com/IAM/latest/UserGuide/reference_policies_evaluation-logic.html',
   'The flow chart to have open while you wonder why access is denied, or worse, why it is not.'),
  ('ffacf855-2d94-4ab9-8c74-b258d5b924cb', 'gardener', '12 days 1 hour', 'SQL', 'Modern SQL',
   'https://modern-sql.com/',
   'What the standard has learned since 1992, and which database understands it.'),
  ('12b04ac1-1c56-4fb4-9d86-0a7e2d17267e', 'misaki', '15 days 5 hours', 'Reliability', 'Google SRE Workbook: alerting on SLOs',
   'https://sre.google/workbook/alerting-on-slos/',
   'From the naive alert to the one with several windows, each step with its price.'),
  ('e5a8f829-4e8d-49a8-ab9e-158cb5bb6ea6', 'layla', '18 days 3 hours', 'Python', 'The Python tutorial',
   'https://docs.python.org/3/tutorial/index.html',
   'Still the best first book, and it is free. Chapters 3 to 5 make a good first month.'),
  ('dea43ecb-51f0-4752-9c8d-74c85a7036e0', 'otter', '22 days 7 hours', 'SQL', 'SQLite: write-ahead logging',
   'https://www.sqlite.org/wal.html',
   null),
  ('d4e40e78-f947-457c-9935-93b48b3d3f41', 'priya', '27 days 2 hours', 'Machine learning', 'scikit-learn: common pitfalls',
   'https://scikit-learn.org/stable/common_pitfalls.html',
   'Leakage, randomness and preprocessing done twice. I read it before every review.'),
  ('207ec264-77d1-46fa-b3e2-3a92b49069a9', 'lucas', '33 days 9 hours', 'Tools', 'Terraform: state',
   'https://developer.hashicorp.com/terraform/language/state',
   'Why there is a state at all, where to keep it and how not to lose it.'),
  ('12ad1814-6b5f-4623-86e7-f93eb166174f', 'tomasz', '38 days 4 hours', 'SQL', 'PostgreSQL: routine vacuuming',
   'https://www.postgresql.org/docs/current/routine-vacuuming.html',
   'If you read one chapter about operations, read this one. Then check your autovacuum settings.'),
  ('6b194ffe-d5f3-4a98-9e09-4232206b06a1', 'mateo', '45 days 6 hours', 'Data', 'Polars user guide',
   'https://docs.pola.rs/',
   ''),
  ('8a546d67-51c2-4a47-80a6-e33aeb3c40b6', 'siobhan', '51 days 3 hours', 'AWS', 'AWS Cost Management user guide',
   'https://docs.aws.amazon.com/cost-management/latest/userguide/what-is-costmanagement.html',
   'Cost Explorer, budgets and anomaly detection. Begin with the chapter on grouping by usage type.'),
  ('f29dd3d5-9c8f-4faf-bd19-fdec66218775', 'ines', '57 days 8 hours', 'Data', 'dbt: incremental models',
   'https://docs.getdbt.com/docs/build/incremental-models',
   'Good on the strategies and honest about late rows. Read it together with your warehouse''s merge.'),
  ('227b5494-005b-43ac-be5a-f3bea6ea40ea', 'quietloop', '64 days 1 hour', 'TypeScript', 'TypeScript handbook: narrowing',
   'https://www.typescriptlang.org/docs/handbook/2/narrowing.html',
   'Discriminated unions and never: how to let the compiler find the forgotten case.'),
  ('d16cf91b-e7ac-4ca9-b50f-8ceead8f87d0', 'chau', '73 days 5 hours', 'Data', 'pandas: group by',
   'https://pandas.pydata.org/docs/user_guide/groupby.html',
   'Split, apply, combine: the pivot table explained from the inside.'),
  ('c8fadccf-2496-4f50-9868-32b220fd3d71', 'misaki', '81 days 2 hours', 'Reliability', 'Prometheus: histograms and summaries',
   'https://prometheus.io/docs/practices/histograms/',
   null),
  ('ba56a79d-f872-4c68-b120-54ed258e5bfd', 'olena', '90 days 7 hours', 'Security', 'OWASP Cheat Sheet Series',
   'https://cheatsheetseries.owasp.org/',
   'Short, opinionated and kept up to date. I link to single sheets in code reviews.'),
  ('72ccbdfb-d58f-4ced-bcea-3ba5111f78b7', 'gardener', '95 days 4 hours', 'Tools', 'GNU Bash manual',
   'https://www.gnu.org/software/bash/manual/',
   'Search it for ''parameter expansion'' and throw away half of your sed.'),
  ('192a7a43-ae5c-437b-a2e6-c305d3366f6a', 'folake', '104 days 6 hours', 'AWS', 'DynamoDB: best practices',
   'https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/best-practices.html',
   'Write down the questions first and the keys afterwards. This guide shows why in that order.'),
  ('2450432a-53bb-4d18-9654-9daeb3cbf185', 'mateo', '112 days 3 hours', 'SQL', 'PostGIS documentation',
   'https://postgis.net/documentation/',
   'Distances on a round earth, indexes for shapes, and a function for nearly everything a river does.'),
  ('aa786d3e-1ca9-479b-9372-0fbd9f64c866', 'otter', '121 days 9 hours', 'SQL', 'SQLite: STRICT tables',
   'https://www.sqlite.org/stricttables.html',
   'One word at the end of create table, and a number stays a number.'),
  ('2ef4390d-b8f3-42ad-b420-3a46031cec6a', 'lucas', '134 days 2 hours', 'Tools', 'Kubernetes: the life of a pod',
   'https://kubernetes.io/docs/concepts/workloads/pods/pod-lifecycle/',
   'What really happens between ''terminating'' and gone, and which probe does what.'),
  ('9278b1cf-75f1-4415-a3fa-d91068cf1368', 'priya', '147 days 5 hours', 'Python', 'NumPy: broadcasting',
   'https://numpy.org/doc/stable/user/basics.broadcasting.html',
   'Four rules and a few pictures. It removes more loops than any compiler.'),
  ('aca9b3bd-b7df-4be1-ad9a-39e798f680a4', 'tomasz', '165 days 8 hours', 'SQL', 'PostgreSQL: monitoring statistics',
   'https://www.postgresql.org/docs/current/monitoring-stats.html',
   'Every pg_stat view with every column. Keep it open during an incident.'),
  ('cb99e950-a6eb-43a9-87b9-9ad8a92b5a1b', 'olena', '182 days 4 hours', 'Python', 'Python: the secrets module',
   'https://docs.python.org/3/library/secrets.html',
   'Tokens and passwords come from here and never from random.'),
  ('0634e8fc-6acd-4118-b88a-331f33ff4d14', 'folake', '203 days 7 hours', 'AWS', 'Amazon S3: performance patterns',
   'https://docs.aws.amazon.com/AmazonS3/latest/userguide/optimizing-performance.html',
   ''),
  ('7fa2e6b4-1c51-4f98-9a02-638493c8d8ee', 'ines', '229 days 3 hours', 'Python', 'Python: itertools recipes',
   'https://docs.python.org/3/library/itertools.html#itertools-recipes',
   'batched, pairwise, sliding_window and friends. Steal them shamelessly.')
) as seed (id, member, age, category, title, url, description)
join auth.users as account on account.email = seed.member || '@techfolio.example'
on conflict (id) do nothing;

insert into public.code_samples (id, profile_id, created_at, language, title, description, code_content)
select
  seed.id::uuid, account.id, now() - seed.age::interval, seed.language, seed.title, seed.description,
  seed.code_content
from (values
  ('c4eb7571-6a9e-451d-ad89-f04602a5fa3d', 'ines', '6 hours', 'python',
   'Upsert a CSV file in one transaction',
   'COPY into a temporary table, then one insert that touches only what really changed. Runs twice without harm. Needs psycopg 3.',
$code$import csv
import sys

import psycopg

STAGE = "create temporary table incoming (like orders including defaults) on commit drop"

MERGE = """
insert into orders as kept (id, placed_at, total)
select distinct on (id) id, placed_at, total from incoming order by id, placed_at desc
on conflict (id) do update set placed_at = excluded.placed_at, total = excluded.total
where (kept.placed_at, kept.total) is distinct from (excluded.placed_at, excluded.total)
"""


def load(path, dsn):
    """Bring a CSV file into `orders` in one transaction; return how many rows changed."""
    with open(path, newline="", encoding="utf-8") as file, psycopg.connect(dsn) as connection:
        with connection.cursor() as cursor:
            cursor.execute(STAGE)
            with cursor.copy("copy incoming (id, placed_at, total) from stdin") as copy:
                for row in csv.DictReader(file):
                    copy.write_row((row["id"], row["placed_at"], row["total"] or None))
            return cursor.execute(MERGE).rowcount


if __name__ == "__main__":
    print(load(sys.argv[1], sys.argv[2]), "rows inserted or updated")$code$),
  ('2cd8a830-09c6-4ffa-aacf-b360d1a7d7da', 'tomasz', '1 day 2 hours', 'sql',
   'Foreign keys without an index',
   'The first query that I run on a database I have never seen.',
$code$-- Foreign keys that no index begins with, biggest table first. Without one, every delete
-- on the referenced side reads the whole referencing table.
select c.conrelid::regclass as referencing_table,
       c.conname as foreign_key,
       c.confrelid::regclass as referenced_table,
       pg_size_pretty(pg_table_size(c.conrelid)) as size
from pg_constraint as c
where c.contype = 'f'
  and not exists (
    select
    from pg_index as i
    where i.indrelid = c.conrelid
      and i.indisvalid
      and i.indpred is null
      and (i.indkey::smallint[])[0:cardinality(c.conkey) - 1] @> c.conkey
  )
order by pg_table_size(c.conrelid) desc, foreign_key;$code$),
  ('ef82a8c4-de50-43b2-b860-e40f9b322f92', 'folake', '2 days 9 hours', 'typescript',
   'Lambda handler that fails one message at a time',
   'Wraps your function and reports partial batch failures. Turn on ReportBatchItemFailures for the event source.',
$code$interface SqsRecord {
  messageId: string;
  body: string;
}

interface BatchResponse {
  batchItemFailures: { itemIdentifier: string }[];
}

/** Makes a Lambda handler that returns only the failed messages to the queue. */
export function batchHandler<T>(handle: (message: T) => Promise<void>) {
  return async (event: { Records: SqsRecord[] }): Promise<BatchResponse> => {
    const results = await Promise.allSettled(
      event.Records.map(async (record) => handle(JSON.parse(record.body) as T)),
    );
    const batchItemFailures = event.Records.flatMap((record, index) => {
      const result = results[index];
      if (result?.status !== "rejected") return [];
      console.error("message failed", record.messageId, result.reason);
      return [{ itemIdentifier: record.messageId }];
    });
    return { batchItemFailures };
  };
}$code$),
  ('5648c881-8652-45fa-a589-3e050dd8a3c2', 'misaki', '4 days 6 hours', 'bash',
   'Wait until a service is ready',
   'For pipelines that start a server and then test it. Shows the last answer when time is up.',
$code$#!/usr/bin/env bash
# Wait until an address answers 2xx, at most a given number of seconds.
#   wait-ready.sh http://127.0.0.1:3000/readyz 60 && ./run-tests.sh
set -uo pipefail

url=${1:?which address?}
limit=${2:-30}
pause=1

while true; do
  if curl --fail --silent --max-time 5 --output /dev/null "$url"; then
    echo "ready after ${SECONDS}s"
    exit 0
  fi
  if ((SECONDS + pause > limit)); then
    echo "$url is not ready after ${SECONDS}s; its last answer:" >&2
    curl --silent --show-error --max-time 5 --include "$url" >&2
    exit 1
  fi
  sleep "$pause"
  ((pause = pause < 8 ? pause * 2 : 8))
done$code$),
  ('4d824e61-5a5e-49a7-92f8-68bc6fd222b9', 'olena', '6 days 1 hour', 'yaml',
   'Deploy to AWS without a stored key',
   'A GitHub Actions workflow that proves who it is with OpenID Connect. Pin the actions to a commit for production.',
$code$# .github/workflows/deploy.yml: no stored AWS key, only a role that trusts this repository.
name: Deploy
on:
  push:
    branches: [main]

permissions:
  contents: read
  id-token: write # lets the job ask GitHub for a signed identity

concurrency:
  group: deploy
  cancel-in-progress: false

jobs:
  deploy:
    runs-on: ubuntu-latest
    environment: production
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v5
      - uses: aws-actions/configure-aws-credentials@v5
        with:
          role-to-assume: ${{ vars.DEPLOY_ROLE_ARN }}
          aws-region: eu-central-1
      - run: ./deploy.sh$code$),
  ('9f340007-b102-4dd7-8d70-12b87bcda628', 'otter', '9 days 5 hours', 'javascript',
   'Fetch JSON with a deadline',
   'Twelve lines instead of a dependency.',
$code$/** Fetches JSON with a deadline; a failure says which address, what status and why. */
export async function fetchJson(url, { timeout = 5_000, ...options } = {}) {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(timeout) });
  const body = await response.text();
  if (!response.ok) {
    throw new Error(`${url} answered ${response.status}: ${body.slice(0, 200)}`);
  }
  try {
    return JSON.parse(body);
  } catch (cause) {
    throw new Error(`${url} did not answer with JSON`, { cause });
  }
}$code$),
  ('1130cbc2-6b1f-4e5e-99bb-20d76b564cca', 'gudrun', '11 days 8 hours', 'sql',
   'Longest run of consecutive days',
   'Gaps and islands with one subtraction. PostgreSQL.',
$code$-- Each member's longest run of days with at least one visit.
-- Within a run, the date and the row number grow in step, so their difference stays the same.
with days as (
  select distinct member_id, visited_at::date as day
  from visits
),
runs as (
  select member_id, day,
         day - (row_number() over (partition by member_id order by day))::int as run
  from days
)
select distinct on (member_id)
       member_id,
       count(*) as days_in_a_row,
       min(day) as first_day,
       max(day) as last_day
from runs
group by member_id, run
order by member_id, days_in_a_row desc, last_day desc;$code$),
  ('332a0845-0546-44b0-b86d-1cb1131fa22c', 'quietloop', '14 days 3 hours', 'python',
   'Run coroutines a few at a time',
   '',
$code$import asyncio


async def map_bounded(function, items, limit=8):
    """Run an async function over items, `limit` at a time; results keep the order of the items."""
    gate = asyncio.Semaphore(limit)

    async def run(item):
        async with gate:
            return await function(item)

    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(run(item)) for item in items]
    return [task.result() for task in tasks]


async def main():
    async def square(number):
        await asyncio.sleep(0.05)
        return number * number

    print(await map_bounded(square, range(10), limit=3))


asyncio.run(main())$code$),
  ('d795dc7a-f279-443a-9786-15e5fcf9d947', 'lucas', '17 days 7 hours', 'typescript',
   'A small cache with a limit and a lifetime',
   'Least recently used goes first. A Map remembers the order by itself.',
$code$interface Entry<V> {
  value: V;
  expires: number;
}

/** Keeps the `limit` most recently used values, each for at most `lifetime` milliseconds. */
export class Cache<K, V> {
  readonly #entries = new Map<K, Entry<V>>();
  readonly #limit: number;
  readonly #lifetime: number;

  constructor(limit: number, lifetime: number) {
    this.#limit = limit;
    this.#lifetime = lifetime;
  }

  get(key: K): V | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    if (entry.expires <= Date.now()) return undefined;
    this.#entries.set(key, entry); // a Map keeps insertion order: last is freshest
    return entry.value;
  }

  set(key: K, value: V): void {
    this.#entries.delete(key);
    this.#entries.set(key, { value, expires: Date.now() + this.#lifetime });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > this.#limit && oldest !== undefined) this.#entries.delete(oldest);
  }
}$code$),
  ('103c5895-3a89-4377-a4ca-f013ff299b91', 'tomasz', '21 days 2 hours', 'bash',
   'A backup that proves it can be read',
   'Dump, list, rename, and only then delete the oldest. Put it into cron and restore one now and then.',
$code$#!/usr/bin/env bash
# Nightly dump that proves itself readable before an old one is thrown away.
set -euo pipefail

database=${1:?which database?}
folder=${2:?which folder?}
keep=${3:-7}

mkdir -p -- "$folder"
target="$folder/$database-$(date -u +%Y%m%dT%H%M%SZ).dump"
trap 'rm -f -- "$target.part"' EXIT

pg_dump --format=custom --file="$target.part" -- "$database"
pg_restore --list "$target.part" >/dev/null
mv -- "$target.part" "$target"

# The names sort by time: newest first, skip those to keep, delete the rest.
find "$folder" -maxdepth 1 -name "$database-????????T??????Z.dump" -print0 |
  sort -zr |
  tail -zn "+$((keep + 1))" |
  xargs -0r rm -f --

echo "$target ($(du -h -- "$target" | cut -f1))"$code$),
  ('c4fe00cf-36b9-424d-aaf8-db093db744a0', 'lucas', '28 days 6 hours', 'yaml',
   'Start the app when the database answers',
   'Compose file with a health check instead of a sleep.',
$code$# compose.yaml: the application starts when the database answers, not when its container exists.
services:
  database:
    image: postgres:18
    environment:
      POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?put it in .env}
    volumes:
      - data:/var/lib/postgresql
    healthcheck:
      test: [CMD, pg_isready, --username, postgres]
      interval: 2s
      timeout: 3s
      retries: 30
    restart: unless-stopped

  app:
    build: .
    environment:
      DATABASE_URL: postgres://postgres:${POSTGRES_PASSWORD}@database:5432/postgres
    ports:
      - 127.0.0.1:8080:8080
    depends_on:
      database:
        condition: service_healthy
    restart: unless-stopped

volumes:
  data:$code$),
  ('e02f59c5-cc93-4140-a7b2-0f4976e22f5c', 'chau', '36 days 4 hours', 'javascript',
   'Group, sum and median in plain JavaScript',
   'Map.groupBy, toSorted and console.table: a pivot table in the console. Node 21 or later.',
$code$const orders = [
  { region: "Hà Nội", total: 120 },
  { region: "Đà Nẵng", total: 80 },
  { region: "Hà Nội", total: 400 },
  { region: "Hà Nội", total: 95 },
  { region: "Đà Nẵng", total: 150 },
];

function median(numbers) {
  const sorted = numbers.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

const report = [...Map.groupBy(orders, (order) => order.region)]
  .map(([region, rows]) => ({
    region,
    orders: rows.length,
    sum: rows.reduce((sum, row) => sum + row.total, 0),
    median: median(rows.map((row) => row.total)),
  }))
  .toSorted((a, b) => b.sum - a.sum);

console.table(report);$code$),
  ('cc376bce-b9fb-4689-b4f7-a81eedb85028', 'priya', '44 days 9 hours', 'python',
   'Population stability index',
   'Has the input of the model moved since training? Standard library only.',
$code$import math
from bisect import bisect_right
from statistics import quantiles


def stability_index(reference, current, bins=10):
    """Population stability index: how far `current` has moved away from `reference`.

    Below 0.1 nothing happened; above 0.25 somebody should look before the model is trusted.
    """
    edges = quantiles(reference, n=bins)

    def shares(sample):
        counts = [0] * bins
        for value in sample:
            counts[bisect_right(edges, value)] += 1
        # Half a count in every bin keeps an empty one from making the logarithm infinite.
        return [(count + 0.5) / (len(sample) + bins / 2) for count in counts]

    pairs = zip(shares(reference), shares(current))
    return sum((now - then) * math.log(now / then) for then, now in pairs)$code$),
  ('44dfbc33-5d75-429c-9f4e-cd3a2b7e046b', 'ines', '54 days 2 hours', 'sql',
   'A job queue in one table',
   'skip locked keeps workers out of each other''s way; the lease brings back what a crash left behind.',
$code$create table jobs (
  id          bigint generated always as identity primary key,
  payload     jsonb not null,
  run_after   timestamptz not null default now(),
  attempts    int not null default 0,
  finished_at timestamptz
);

create index jobs_waiting on jobs (run_after) where finished_at is null;

-- Each worker repeats this in a transaction of its own. A job that it takes is hidden
-- for five minutes; if the worker dies, the job comes back by itself.
with next as (
  select id
  from jobs
  where finished_at is null and run_after <= now()
  order by run_after
  limit 1
  for update skip locked
)
update jobs
set attempts = attempts + 1,
    run_after = now() + interval '5 minutes'
from next
where jobs.id = next.id
returning jobs.id, jobs.payload, jobs.attempts;$code$),
  ('0774bb92-dea3-4caa-9759-2e99cce2d9e4', 'siobhan', '63 days 7 hours', 'yaml',
   'Be warned before the month is expensive',
   'CloudFormation: a budget that mails you as soon as the forecast passes the limit.',
$code$# One CloudFormation stack per account: write to us before the month is expensive, not after it.
AWSTemplateFormatVersion: "2010-09-09"
Parameters:
  Email:
    Type: String
  MonthlyLimit:
    Type: Number
    Default: 500
Resources:
  MonthlyBudget:
    Type: AWS::Budgets::Budget
    Properties:
      Budget:
        BudgetType: COST
        TimeUnit: MONTHLY
        BudgetLimit:
          Amount: !Ref MonthlyLimit
          Unit: USD
      NotificationsWithSubscribers:
        - Notification:
            NotificationType: FORECASTED
            ComparisonOperator: GREATER_THAN
            Threshold: 100
          Subscribers:
            - SubscriptionType: EMAIL
              Address: !Ref Email$code$),
  ('211cbc95-1dbc-4e34-bc01-cdb6321a0b8a', 'folake', '76 days 5 hours', 'python',
   'What fills this bucket?',
   'Adds up object sizes by top-level prefix. Listing a very large bucket costs a little: prefer S3 Inventory there.',
$code$import sys
from collections import Counter

import boto3


def bytes_by_prefix(bucket, client=None):
    """Add up the object sizes under each top-level prefix of a bucket."""
    client = client or boto3.client("s3")
    sizes = Counter()
    for page in client.get_paginator("list_objects_v2").paginate(Bucket=bucket):
        for item in page.get("Contents", []):
            prefix, slash, _ = item["Key"].partition("/")
            sizes[prefix + slash if slash else "(top level)"] += item["Size"]
    return sizes


if __name__ == "__main__":
    for prefix, size in bytes_by_prefix(sys.argv[1]).most_common():
        print(f"{size / 1024**3:12.3f} GiB  {prefix}")$code$),
  ('4dbc81e0-9fb3-4ca0-af40-68c15f883595', 'quietloop', '88 days 3 hours', 'typescript',
   'Let the compiler find the missing case',
   null,
$code$type Delivery =
  | { state: "packed"; boxes: number }
  | { state: "on its way"; carrier: string; expected: Date }
  | { state: "delivered"; signedBy: string }
  | { state: "lost"; lastSeen: string };

/** Reached only if a case is missing, and then the compiler says so before anyone else does. */
function unreachable(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}

export function describe(delivery: Delivery): string {
  switch (delivery.state) {
    case "packed":
      return `Packed in ${delivery.boxes} box(es)`;
    case "on its way":
      return `With ${delivery.carrier} until ${delivery.expected.toISOString().slice(0, 10)}`;
    case "delivered":
      return `Signed for by ${delivery.signedBy}`;
    case "lost":
      return `Last seen in ${delivery.lastSeen}`;
    default:
      return unreachable(delivery);
  }
}$code$),
  ('942ddd41-f5c1-4140-b6ec-2cb5f0c473e4', 'lucas', '102 days 8 hours', 'bash',
   'The first lines of every Bash script',
   'Strict mode, usage, options, a temporary folder that always goes away, and a dry run.',
$code$#!/usr/bin/env bash
# The first twenty lines of every script I write.
set -euo pipefail

usage() {
  echo "Usage: ${0##*/} [-n] SOURCE TARGET" >&2
  echo "  -n  show what would happen, change nothing" >&2
  exit 64
}

dry_run=false
while getopts ":n" option; do
  case $option in
    n) dry_run=true ;;
    *) usage ;;
  esac
done
shift $((OPTIND - 1))
[[ $# -eq 2 ]] || usage

work=$(mktemp -d)
trap 'rm -rf -- "$work"' EXIT

run() {
  printf '+ %s\n' "${*@Q}" >&2
  $dry_run || "$@"
}

run cp -a -- "$1/." "$work"
run tar -C "$work" -czf "$2" .$code$),
  ('83626a3f-8f17-4d06-b735-35ee4265a9c7', 'chau', '119 days 2 hours', 'sql',
   'Monthly cohorts: who comes back?',
   'One row per month of first purchase. Easy to paste into a chart.',
$code$-- Of the customers who first bought in a month: how many per cent bought again
-- one, two and three months later?
with first_orders as (
  select customer_id, date_trunc('month', min(placed_at))::date as cohort
  from orders
  group by customer_id
),
activity as (
  select f.cohort, o.customer_id,
         (extract(year from o.placed_at) - extract(year from f.cohort)) * 12
           + extract(month from o.placed_at) - extract(month from f.cohort) as months_later
  from orders as o
  join first_orders as f using (customer_id)
),
counts as (
  select cohort,
         count(distinct customer_id) as customers,
         count(distinct customer_id) filter (where months_later = 1) as m1,
         count(distinct customer_id) filter (where months_later = 2) as m2,
         count(distinct customer_id) filter (where months_later = 3) as m3
  from activity
  group by cohort
)
select cohort, customers,
       round(100.0 * m1 / customers, 1) as "month 1 %",
       round(100.0 * m2 / customers, 1) as "month 2 %",
       round(100.0 * m3 / customers, 1) as "month 3 %"
from counts
order by cohort;$code$),
  ('5869ee6f-db3c-4c8c-bd42-199b76587683', 'ines', '138 days 6 hours', 'javascript',
   'Read a huge file line by line',
   'Newline-delimited JSON through an async generator, with the line number in the error.',
$code$import { createReadStream } from "node:fs";
import { createInterface } from "node:readline";

/** Reads a file of one JSON value per line, one at a time, however large the file is. */
async function* readRecords(path) {
  const lines = createInterface({ input: createReadStream(path), crlfDelay: Infinity });
  let number = 0;
  for await (const line of lines) {
    number += 1;
    if (line.trim() === "") continue;
    try {
      yield JSON.parse(line);
    } catch (cause) {
      throw new Error(`${path}:${number} is not JSON`, { cause });
    }
  }
}

const totals = {};
for await (const { country, amount } of readRecords(process.argv[2])) {
  totals[country] = (totals[country] ?? 0) + amount;
}
console.table(totals);$code$),
  ('ca197dfc-2ad5-44c3-87db-d691103d844f', 'olena', '154 days 4 hours', 'python',
   'Settings from the environment, checked at once',
   'Says everything that is wrong in one go, and never prints a stack trace to the person who forgot a variable.',
$code$import os
from dataclasses import MISSING, dataclass, fields


@dataclass(frozen=True)
class Settings:
    database_url: str
    port: int = 8080
    debug: bool = False


PARSERS = {str: str, int: int, bool: {"true": True, "false": False}.__getitem__}


def read_settings(env=os.environ):
    """Build Settings from the environment, or end with every problem named, not just the first."""
    values, problems = {}, []
    for field in fields(Settings):
        name = field.name.upper()
        if name in env:
            try:
                values[field.name] = PARSERS[field.type](env[name])
            except (KeyError, ValueError):
                problems.append(f"{name} is not a valid {field.type.__name__}: {env[name]!r}")
        elif field.default is MISSING:
            problems.append(f"{name} is not set")
    if problems:
        raise SystemExit("\n".join(problems))
    return Settings(**values)$code$),
  ('ee5b691f-8752-4116-a513-6555b128732e', 'layla', '168 days 1 hour', 'sql',
   'Walk a graph of prerequisites',
   'A recursive query that survives a loop, thanks to the cycle clause. I use it in week nine.',
$code$-- Everything a student should know before 'joins', nearest first.
create temporary table needs (lesson text, before text);

insert into needs values
  ('joins', 'keys'),
  ('joins', 'select'),
  ('keys', 'tables'),
  ('select', 'tables'),
  ('window functions', 'joins');

with recursive path as (
  select before as lesson, 1 as steps
  from needs
  where lesson = 'joins'
  union all
  select needs.before, path.steps + 1
  from path
  join needs on needs.lesson = path.lesson
) cycle lesson set is_loop using trail
select lesson, min(steps) as steps_away
from path
where not is_loop
group by lesson
order by steps_away, lesson;$code$),
  ('bfb574b4-22f3-4396-aefd-748999656c47', 'tomasz', '179 days 7 hours', 'sql',
   'Who is blocking whom?',
   '',
$code$-- Who is waiting, for whom, and for how long? Run it from a second session.
select waiting.pid as waiting_pid,
       now() - waiting.query_start as waiting_for,
       left(waiting.query, 60) as waiting_query,
       blocker.pid as blocker_pid,
       blocker.state as blocker_state,
       now() - blocker.xact_start as blocker_open_for,
       left(blocker.query, 60) as blocker_last_query
from pg_stat_activity as waiting
cross join lateral unnest(pg_blocking_pids(waiting.pid)) as b (pid)
join pg_stat_activity as blocker on blocker.pid = b.pid
order by waiting_for desc;$code$),
  ('bb0a2e74-b045-4692-b726-ee6dd428d085', 'misaki', '205 days 3 hours', 'python',
   'Retry with full jitter',
   'A decorator for the errors that you name, and only for those. The waits are random so that clients do not come back together.',
$code$import functools
import random
import time


def retry(*errors, attempts=5, base=0.2, cap=10.0, sleep=time.sleep):
    """Call again on the given errors, after a random wait whose limit doubles each turn."""

    def decorate(function):
        @functools.wraps(function)
        def call(*args, **kwargs):
            for attempt in range(attempts):
                try:
                    return function(*args, **kwargs)
                except errors:
                    if attempt == attempts - 1:
                        raise
                    sleep(random.uniform(0, min(cap, base * 2**attempt)))

        return call

    return decorate


@retry(ConnectionError, TimeoutError, attempts=4)
def fetch_rates(client):
    return client.get("/rates")$code$)
) as seed (id, member, age, language, title, description, code_content)
join auth.users as account on account.email = seed.member || '@techfolio.example'
on conflict (id) do nothing;
