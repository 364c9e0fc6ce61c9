-- Techfolio backup, format 2
-- Schema: migration 20261125000000
-- Into an empty DATA_DIR or database: npm run restore -- FILE
-- Into a database with this schema and no account, a Supabase project for example: psql --file FILE ADDRESS
\set ON_ERROR_STOP on
begin;
do $$ begin if exists (select from auth.users) then raise 'The database has accounts already.'; end if; end $$;
set local statement_timeout = 0;
set local client_encoding = 'UTF8';
set local session_replication_role = replica;

copy auth.users (instance_id, id, aud, role, email, encrypted_password, email_confirmed_at, invited_at, confirmation_token, confirmation_sent_at, recovery_token, recovery_sent_at, email_change_token_new, email_change, email_change_sent_at, last_sign_in_at, raw_app_meta_data, raw_user_meta_data, is_super_admin, created_at, updated_at, phone, phone_confirmed_at, phone_change, phone_change_token, phone_change_sent_at, email_change_token_current, email_change_confirm_status, banned_until, reauthentication_token, reauthentication_sent_at, is_sso_user, deleted_at, is_anonymous) from stdin;
00000000-0000-0000-0000-000000000000	00000000-0000-4000-8000-000000000001	authenticated	authenticated	keeper@example.com	$2b$04$CjKe8eB7Hl//jLRfD/MRDup8Oh7Tgz7x/V1D5yIhMCKzYvEroMzc6	2026-01-01 00:00:00+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	{"provider": "email", "providers": ["email"]}	{}	\N	2026-01-01 00:00:00+00	2026-01-01 00:00:00+00	\N	\N			\N		0	\N		\N	f	\N	f
00000000-0000-0000-0000-000000000000	00000000-0000-4000-8000-000000000002	authenticated	authenticated	second@example.com	$2b$04$.FOzYAazh/9dHPyni3vkU.TYJ9x/kovRywB9OUyg7d47Tm7XSRcxC	2026-01-01 00:00:00+00	\N	\N	\N	\N	\N	\N	\N	\N	\N	{"provider": "email", "providers": ["email"]}	{}	\N	2026-01-01 00:00:00+00	2026-01-01 00:00:00+00	\N	\N			\N		0	\N		\N	f	\N	f
\.

copy auth.identities (provider_id, user_id, identity_data, provider, last_sign_in_at, created_at, updated_at, id) from stdin;
\.

copy public.profiles (id, username, full_name, bio, avatar_url, current_title, company, years_experience, featured, linkedin_url, featured_skills, created_at, updated_at) from stdin;
00000000-0000-4000-8000-000000000001	keeper	\N	\N	\N	\N	\N	\N	f	\N	{}	2026-01-01 00:00:00+00	2026-01-03 00:00:00+00
00000000-0000-4000-8000-000000000002	keeper	\N	\N	\N	\N	\N	\N	f	\N	{}	2026-01-02 00:00:00+00	2026-01-03 00:00:00+00
\.

copy public.skills (id, profile_id, category, name, proficiency, years_experience, created_at) from stdin;
1917a46d-49cb-4038-ad32-932329d39e09	00000000-0000-4000-8000-000000000001	python	SQL	3	1	2026-01-01 00:00:00+00
\.

copy public.articles (id, author_id, title, content, published, created_at, updated_at) from stdin;
d00ba736-d6af-4617-8470-783738811751	00000000-0000-4000-8000-000000000001	 	Blank title	t	2026-01-01 00:00:00+00	2026-11-25 16:23:11.318988+00
\.

copy public.useful_links (id, profile_id, title, url, description, category, created_at) from stdin;
d990f343-0e52-401a-9e0c-7d84bd4a4de5	00000000-0000-4000-8000-000000000001	Link	https://example.com	\N	SQL	2026-01-01 00:00:00+00
\.

copy public.code_samples (id, profile_id, title, description, code_content, language, created_at, updated_at) from stdin;
\.

commit;
-- End of the Techfolio backup
