// Price rules in a small expression language, e.g.
//   net = price * qty
//   discount = if(qty >= 10 && country != "CH", net * 10%, 0)
const TOKEN = /\s*(?:(?<number>\d+(?:\.\d+)?)(?<percent>%)?|(?<string>"[^"]*")|(?<name>[\p{L}_][\p{L}\d_.]*)|(?<op>\|\||&&|[<>=!]=|[-+*/^<>!(),?:]))/uy;

class ParseError extends Error {
  constructor(message, source, at) {
    super(`${message} at ${at + 1}`);
    this.name = 'ParseError';
    this.pointer = `${source}\n${' '.repeat(at)}^`;
  }
}

function tokenize(source) {
  const tokens = [];
  TOKEN.lastIndex = 0;
  while (source.slice(TOKEN.lastIndex).trim() !== '') {
    const at = TOKEN.lastIndex;
    const m = TOKEN.exec(source);
    if (!m) throw new ParseError('unexpected character', source, at + source.slice(at).search(/\S/));
    const { number, percent, string, name, op } = m.groups;
    const start = m.index + m[0].length - m[0].trimStart().length;
    if (number !== undefined) tokens.push({ type: 'value', value: Number(number) / (percent ? 100 : 1), start });
    else if (string !== undefined) tokens.push({ type: 'value', value: string.slice(1, -1), start });
    else if (name !== undefined) tokens.push({ type: 'name', value: name, start });
    else tokens.push({ type: op, value: op, start });
  }
  return [...tokens, { type: 'end', value: 'end', start: source.length }];
}

const BINARY = {
  '||': [1, (a, b) => a || b],
  '&&': [2, (a, b) => a && b],
  '==': [3, (a, b) => a === b],
  '!=': [3, (a, b) => a !== b],
  '<': [4, (a, b) => a < b],
  '<=': [4, (a, b) => a <= b],
  '>': [4, (a, b) => a > b],
  '>=': [4, (a, b) => a >= b],
  '+': [5, (a, b) => a + b],
  '-': [5, (a, b) => a - b],
  '*': [6, (a, b) => a * b],
  '/': [6, (a, b) => a / b],
  '^': [7, (a, b) => a ** b],
};
const FUNCTIONS = { min: Math.min, max: Math.max, round: (x, d = 0) => Math.round(x * 10 ** d) / 10 ** d, upper: (s) => s.toUpperCase(), len: (s) => s.length };

function compile(source) {
  const tokens = tokenize(source);
  let i = 0;
  const take = (type) => {
    if (tokens[i].type !== type) throw new ParseError(`expected ${type} but found ${tokens[i].value}`, source, tokens[i].start);
    return tokens[i++];
  };

  const primary = () => {
    const t = tokens[i];
    switch (t.type) {
      case 'value':
        i++;
        return () => t.value;
      case '-':
      case '!': {
        i++;
        const inner = binary(7);
        return t.type === '-' ? (env) => -inner(env) : (env) => !inner(env);
      }
      case '(': {
        i++;
        const inner = binary(1);
        take(')');
        return inner;
      }
      case 'name': {
        i++;
        if (tokens[i].type !== '(') {
          return (env) => {
            const value = t.value.split('.').reduce((o, k) => o?.[k], env);
            if (value === undefined) throw new ReferenceError(`${t.value} is not defined`);
            return value;
          };
        }
        const args = [];
        take('(');
        while (tokens[i].type !== ')') {
          args.push(binary(1));
          if (tokens[i].type !== ')') take(',');
        }
        take(')');
        if (t.value === 'if') return (env) => (args[0](env) ? args[1](env) : args[2](env));
        const fn = FUNCTIONS[t.value];
        if (!fn) throw new ParseError(`unknown function ${t.value}`, source, t.start);
        return (env) => fn(...args.map((a) => a(env)));
      }
      default:
        throw new ParseError(`unexpected ${t.value}`, source, t.start);
    }
  };

  const binary = (level) => {
    let left = primary();
    for (;;) {
      const [precedence, apply] = BINARY[tokens[i].type] ?? [0];
      if (precedence < level || precedence === 0) return left;
      const op = tokens[i++].type;
      const a = left;
      const b = binary(op === '^' ? precedence : precedence + 1);
      left = op === '&&' ? (env) => a(env) && b(env) : op === '||' ? (env) => a(env) || b(env) : (env) => apply(a(env), b(env));
    }
  };

  const expression = binary(1);
  take('end');
  return expression;
}

const { content } = await github_reference.get_file_contents({ owner: 'acme', repo: 'pricing', path: 'rules.txt', branch: 'main' });
const rules = [];
for (const [n, raw] of content.split('\n').entries()) {
  const [, name, source] = /^\s*([\p{L}_]+)\s*=(?!=)\s*(.*?)\s*(?:#.*)?$/u.exec(raw) ?? [];
  if (!name) continue;
  try {
    rules.push({ name, run: compile(source) });
  } catch (e) {
    if (!(e instanceof ParseError)) throw e;
    console.log(`line ${n + 1}: ${e.message}\n${e.pointer}`);
  }
}

const baskets = await postgres_reference.query({ sql: 'SELECT id, price, qty, country, customer FROM basket_lines ORDER BY id' });
const totals = {};
const failed = [];
for (const basket of baskets) {
  const env = { ...basket };
  try {
    for (const { name, run } of rules) env[name] = run(env);
    (totals[env.country] ??= []).push(env.gross);
    console.log(`#${env.id} ${env.country} net ${env.net.toFixed(2)} discount ${env.discount.toFixed(2)} gross ${env.gross.toFixed(2)} ${env.band}`);
  } catch (e) {
    failed.push({ id: basket.id, error: `${e.name}: ${e.message}` });
  }
}
failed.forEach(({ id, error }) => console.log(`#${id} failed: ${error}`));
const result = { rules: rules.map((r) => r.name), totals: Object.fromEntries(Object.entries(totals).map(([c, v]) => [c, Number(v.reduce((a, b) => a + b).toFixed(2))])), failed };
