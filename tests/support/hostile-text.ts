/** Unless it is escaped, this text ends the script, attribute, comment or CDATA section around it and opens an alert. */
export const HOSTILE_TEXT = `</script><script>alert("1")</script>"><img src=x onerror=alert(1)> & 'x' --> <!-- ]]> \\u003c`;
