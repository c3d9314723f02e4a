/** Texts that break careless pages. The API accepts each one as a name. */
export const HOSTILE_TEXTS = {
  markup: `</bdi><script>document.title='taken'</script><img src=x onerror=alert(1)><!--`,
  'an end of the attribute': `" onfocus="alert(1)" autofocus='' x='`,
  entities: '&lt;b&gt; &amp;amp; &#60;',
  'a template': '${1 + 1} {{7*7}} {CART_ID}',
  'right-to-left override': 'user\u202Egnp.exe\u202E',
  'an end of isolation': 'a\u2069\u2069\u202Eb',
  'a right-to-left name': 'محمد "عبد" الله',
  'a word of 500 characters': 'W'.repeat(500),
  'line ends': 'one\r\ntwo\rthree\nfour',
  'combining marks': `Z${'\u0335\u0321\u034E'.repeat(30)}`,
} as const;
