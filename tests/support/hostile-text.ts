/** Closes a script, an attribute, a comment and CDATA unless it is escaped. */
export const HOSTILE_TEXT = `</script><script>alert("1")</script>"><img src=x onerror=alert(1)> & 'x' --> <!-- ]]> \\u003c`;
