// The links of a page on its own site, each once, as JSON.
const [base, html] = process.argv.slice(3);
const own = new URL(base).origin;
const links = [...html.matchAll(/<a\s[^>]*href="([^"#]+)/g)].map(([, href]) => new URL(href, base).href);
console.log(JSON.stringify([...new Set(links)].filter((link) => new URL(link).origin === own)));
