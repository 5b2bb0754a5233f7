// A report in Markdown: which links lead somewhere, and which do not.
const [links, answers] = process.argv.slice(3).map((text) => JSON.parse(text));
const rows = links.map((link, index) => ({ link, status: answers[index]?.status ?? 'not asked' }));
const broken = rows.filter(({ status }) => status !== 200);
console.log(`# Links\n\n${rows.length} links, ${broken.length} of them broken.\n`);
for (const { link, status } of rows)
  console.log(`- ${status === 200 ? 'good' : 'BROKEN'} ${link} (${status})`);
