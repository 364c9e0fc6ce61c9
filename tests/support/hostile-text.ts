/** Ends a script, an attribute, a comment and CDATA, if it is let. */
export const HOSTILE_TEXT = `</script><script>alert("1")</script>"><img src=x onerror=alert(1)> & 'x' --> <!-- ]]> \\u003c`;
