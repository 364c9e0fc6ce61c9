"""Does what a member's script does, with an unmodified supabase-py. Exits with an error if a result is wrong."""

import os
import uuid

from postgrest.exceptions import APIError
from supabase import create_client

client = create_client(os.environ["SITE_URL"], os.environ["SITE_KEY"])
session = client.auth.sign_in_with_password(
    {"email": os.environ["SITE_EMAIL"], "password": os.environ["SITE_PASSWORD"]}
)
member = session.user.id


def link(title, **more):
    return {"profile_id": member, "title": title, "url": "https://example.com/", "category": "SQL", **more}


def titles(response):
    return [row["title"] for row in response.data]


links = client.table("useful_links")
first = str(uuid.uuid4())
assert titles(client.table("useful_links").insert(link("a", id=first)).execute()) == ["a"]
client.table("useful_links").insert([link("b"), link("c")]).execute()
assert titles(client.table("useful_links").upsert(link("A", id=first), on_conflict="id").execute()) == ["A"]

own = client.table("useful_links").select("title", count="exact").eq("profile_id", member).order("title")
page = own.range(0, 1).execute()
assert titles(page) == ["A", "b"] and page.count == 3, page
either = client.table("useful_links").select("title, profiles(id)").or_("title.eq.b,title.ilike.C").order("title")
assert titles(either.execute()) == ["b", "c"]
assert client.table("useful_links").select("*").eq("id", first).single().execute().data["title"] == "A"
assert client.table("useful_links").select("*").eq("id", str(uuid.uuid4())).maybe_single().execute() is None

changed = client.table("useful_links").update({"category": "Python"}).in_("title", ["b", "c"]).execute()
assert sorted(titles(changed)) == ["b", "c"]
assert client.table("useful_links").delete().eq("profile_id", member).execute().data
assert client.rpc("search_content", {"content_table": "useful_links", "page_size": 5}).execute().data is not None

for wrong in (
    client.table("useful_links").insert(link("d", nosuch=1)),
    client.table("useful_links").delete(),
    client.table("useful_links").update({"title": "x"}),
    client.rpc("nosuch", {}),
):
    try:
        wrong.execute()
    except APIError as error:
        assert error.code, error
    else:
        raise AssertionError("A wrong request succeeded")
client.auth.sign_out()
print("supabase-py: all requests succeeded or were rejected as expected")
