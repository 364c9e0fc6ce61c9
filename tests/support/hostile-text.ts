/** Ends the script, attribute, comment or CDATA section that it is inserted into, unless it is escaped. */
export const HOSTILE_TEXT = `</script><script>alert("1")</script>"><img src=x onerror=alert(1)> & 'x' --> <!-- ]]> \\u003c`;
