// Formulas of the library, "(e h n^2 / ((d-1) Delta))^Delta T", as MathML, which browsers set by themselves. Words
// between them stay words. A formula may end a line at a relation.

interface Token {
  kind: 'number' | 'name' | 'operator' | 'open' | 'close' | 'words'
  text: string
  space: boolean // before it
}

const GREEK: Record<string, string> = { Delta: 'Δ', eta: 'η', mu: 'μ', lambda: 'λ', delta: 'δ', pi: 'π', zeta: 'ζ' }
const FUNCTIONS = ['log', 'log2', 'ln', 'exp', 'min', 'max', 'sqrt', 'ceil', 'floor', 'sum', 'prod']
const SHORT_WORDS = ['of', 'to', 'in', 'at', 'by', 'is', 'or', 'if', 'on', 'no', 'up', 'as', 'so', 'an', 'it', 'go']
const SIGNS: Record<string, string> = { '<=': '≤', '>=': '≥', '-': '−', '*': '·', '->': '→', '...': '…', '..': '…' }
const CLOSE: Record<string, string> = { '(': ')', '[': ']', '{': '}' }

const TOKEN = /\s*(\d+(?:\.\d+)?|[a-z](?:\.[a-z])+\.|[A-Za-z]+\d?'*|<=|>=|->|\.\.\.|\.\.|[^\s])/gy

/** "Dc" and "kn" are products of letters; "steps" and "Theorem" are words. */
function isWord(text: string, next: string): boolean {
  if (/^(a|A)$/.test(text)) return /^ [a-z]{2}/.test(next)
  if (text in GREEK || FUNCTIONS.includes(text) || text.length < 2) return false
  if (text.length === 2) return SHORT_WORDS.includes(text) || /^[A-Z]{2}$/.test(text)
  return !/^.\d|'$/.test(text)
}

function tokensOf(formula: string): Token[] {
  const tokens: Token[] = []
  for (const match of formula.matchAll(TOKEN)) {
    const text = match[1]
    const space = match[0] !== text
    const push = (kind: Token['kind'], word: string, gap = space) => tokens.push({ kind, text: word, space: gap })
    if (/^\d/.test(text)) push('number', text)
    else if (/^[a-z]\./.test(text)) push('words', text)
    else if (/^[A-Za-z]/.test(text)) {
      if (isWord(text, formula.slice(match.index + match[0].length))) push('words', text)
      else if (text in GREEK || FUNCTIONS.includes(text)) push('name', text)
      else text.match(/[A-Za-z]\d?'*/g)!.forEach((letter, i) => push('name', letter, space && !i))
    } else push('([{'.includes(text) ? 'open' : ')]}'.includes(text) ? 'close' : 'operator', text)
  }
  return tokens
}

const mo = (sign: string, rest = '') => `<mo${rest}>${sign.replace(/</, '&lt;').replace(/>/, '&gt;')}</mo>`
const row = (parts: string[]) => (parts.length === 1 ? parts[0] : `<mrow>${parts.join('')}</mrow>`)

class Parser {
  private at = 0
  constructor(private readonly tokens: Token[]) {}

  whole(): string {
    const parts: string[] = []
    while (this.at < this.tokens.length) {
      parts.push(...this.sum())
      // What closes here was opened before the words.
      if (this.at < this.tokens.length) parts.push(mo(this.tokens[this.at++].text, ' stretchy="false"'))
    }
    return parts.join('')
  }

  private get next(): Token | undefined {
    return this.tokens[this.at]
  }

  /** Products, with signs between them, up to a bracket that closes. */
  private sum(): string[] {
    const parts: string[] = []
    let product: string[] = []
    for (let token = this.next; token && token.kind !== 'close'; token = this.next) {
      if (token.text === '/' && token.space && product.length) {
        this.at++
        product = [`<mfrac>${row(product)}${this.denominator()}</mfrac>`]
      } else if (this.isTimes(token, product.length > 0)) {
        this.at++
        product.push(mo('×'))
      } else if (token.kind === 'operator') {
        this.at++
        const sign = SIGNS[token.text] ?? token.text
        if (token.text !== '/') {
          parts.push(...product, mo(sign))
          product = []
        } else product.push(mo('/', ' lspace="0" rspace="0"'))
      } else {
        if (token.space && product.length) product.push('<mspace width="0.2em"></mspace>')
        product.push(this.factor())
      }
    }
    return [...parts, ...product]
  }

  /** "n x n" */
  private isTimes(token: Token, after: boolean): boolean {
    const then = this.tokens[this.at + 1]
    return token.text === 'x' && token.space && after && !!then?.space && then.kind !== 'operator'
  }

  private factor(): string {
    let base = this.atom()
    const isLarge = base.startsWith('<mo movable')
    for (let token = this.next; token && '^_'.includes(token.text) && !token.space; token = this.next) {
      this.at++
      const sign = this.next?.text === '-' ? (this.at++, mo('−')) : ''
      const script = row([...(sign ? [sign] : []), this.script()])
      base = token.text === '^' ? `<msup>${base}${script}</msup>`
        : isLarge ? `<munder>${base}${script}</munder>` : `<msub>${base}${script}</msub>`
    }
    return base
  }

  /** Brackets about all of it only say how far it goes; a power of brackets keeps them. */
  private denominator(): string {
    const from = this.at
    const plain = this.script()
    if (!'^_'.includes(this.next?.text ?? ' ')) return plain
    this.at = from
    return this.factor()
  }

  /** Brackets about an exponent only say how far it goes. */
  private script(): string {
    const from = this.at
    if (this.next?.text !== '(') return this.atom()
    this.at++
    const inner = this.sum()
    if (this.tokens[this.at]?.kind === 'close') {
      this.at++
      return row(inner)
    }
    this.at = from
    return this.atom()
  }

  private atom(): string {
    const token = this.tokens[this.at++]
    if (!token) return '<mrow></mrow>'
    if (token.kind === 'number') return `<mn>${token.text}</mn>`
    if (token.kind === 'open') return this.brackets(token.text, CLOSE[token.text])
    if (token.kind !== 'name') return mo(SIGNS[token.text] ?? token.text)
    return this.name(token.text)
  }

  private name(text: string): string {
    const [, letter, digit, primes] = /^(.*?)(\d?)('*)$/.exec(text)!
    if (text === 'ceil' || text === 'floor') return this.around(text === 'ceil' ? ['⌈', '⌉'] : ['⌊', '⌋'])
    if (text === 'sqrt' && this.next?.text === '(') return `<msqrt>${this.around(['', ''])}</msqrt>`
    if (text === 'sum' || text === 'prod') return `<mo movablelimits="false">${text === 'sum' ? '∑' : '∏'}</mo>`
    if (text === 'max' || text === 'min') return `<mo movablelimits="false" rspace="0.15em">${text}</mo>`
    const name = `<mi>${GREEK[letter] ?? letter}</mi>`
    const marked = primes ? `<msup>${name}${mo(primes.replace(/'/g, '′'))}</msup>` : name
    return digit ? `<msub>${marked}<mn>${digit}</mn></msub>` : marked
  }

  private around([left, right]: [string, string]): string {
    return this.next?.text === '(' ? (this.at++, this.brackets(left, right)) : mo(left)
  }

  private brackets(left: string, right: string): string {
    const inner = this.sum()
    const closed = this.next?.kind === 'close'
    if (closed) this.at++
    const sign = (s: string) => (s ? mo(s) : '')
    return row([sign(left), ...inner, closed ? sign(right) : ''])
  }
}

const isComma = (token: Token) => token.text === ',' || token.text === ';'
const RELATIONS = ['<=', '>=', '<', '>', '=']

const SHORT = 3 // tokens that stay with the relation behind them

/** Runs of tokens: words, or a formula up to a relation or a comma. */
function runsOf(tokens: Token[]): Token[][] {
  const runs: Token[][] = []
  let depth = 0
  tokens.forEach((token, i) => {
    const last = runs[runs.length - 1]
    const isWords = token.kind === 'words'
    const isFar = RELATIONS.includes(token.text) && last?.length > SHORT
    const breaks = !depth && last && (isFar || isComma(last[last.length - 1]))
    if (!last || breaks || (last[0].kind === 'words') !== isWords) runs.push([token])
    else last.push(token)
    if (token.kind === 'open') depth++
    if (token.kind === 'close') depth = Math.max(0, depth - 1)
    if (isWords && tokens[i + 1]?.kind !== 'words') depth = 0
  })
  return runs
}

/** The words and formulas of a text, as nodes of the page. */
export function formulaNodes(text: string): Node[] {
  return runsOf(tokensOf(text)).flatMap((run, i) => {
    const gap = document.createTextNode(i && run[0].space ? ' ' : '')
    if (run[0].kind === 'words') return [gap, document.createTextNode(run.map((t) => t.text).join(' '))]
    const holder = document.createElement('span')
    holder.className = 'formula'
    holder.innerHTML = `<math>${new Parser(run).whole()}</math>`
    return [gap, holder]
  })
}
