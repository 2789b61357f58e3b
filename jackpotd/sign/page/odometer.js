// A row of digit columns, each a strip of 0 to 9 and 0 that is moved, never drawn again.
//
// Laws
// 1. A frame changes transforms only; columns come and go when the number of digits does.
// 2. A column turns while all below it go from 9 to 0, as in a mechanical counter.
// 3. The row tells the style sheet how wide it is, in ems, so that any number of digits fits.

const FACES = 11; // 0 to 9, and the 0 that comes after 9
const COLUMN_EMS = 0.74; // the widest digit of the usual bold faces has 0.7
const SEPARATOR_EMS = 0.32;
const SYMBOL_EMS = 0.47; // of one letter, at the size at which the style sheet sets the symbol
const GAP_EMS = 0.25;

function element(name, className, text) {
  const made = document.createElement(name);
  made.className = className;
  if (text !== undefined) made.textContent = text;
  return made;
}

class Column {
  constructor() {
    this.box = element("span", "column");
    this.strip = element("span", "strip");
    for (let face = 0; face < FACES; face += 1) this.strip.append(element("span", "digit", String(face % 10)));
    this.box.append(this.strip);
    this.at = -1;
    this.leading = false;
  }

  turn(at, leading) {
    if (at !== this.at) {
      this.at = at;
      this.strip.style.transform = `translateY(${(-at * 100) / FACES}%)`;
    }
    if (leading !== this.leading) {
      this.leading = leading;
      this.box.classList.toggle("leading", leading);
    }
  }
}

export class Odometer {
  constructor(box) {
    this.box = box;
    this.columns = []; // the last digit first
    this.format = null;
    this.digits = 0;
  }

  // `format`: symbol, symbol_first, separator, least. `digits`: how many columns the target needs.
  shape(format, digits) {
    const key = JSON.stringify(format);
    if (digits === this.digits && key === this.format) return;
    this.format = key;
    this.digits = digits;
    while (this.columns.length > digits) this.columns.pop();
    while (this.columns.length < digits) this.columns.push(new Column());
    this.#lay(format);
  }

  #lay(format) {
    const digits = this.columns.length;
    const row = element("span", "digits");
    const groups = digits >= 3 + format.least;
    let ems = digits * COLUMN_EMS;
    for (let place = digits - 1; place >= 0; place -= 1) {
      row.append(this.columns[place].box);
      if (!groups || place === 0 || place % 3 !== 0) continue;
      const separator = element("span", "separator", format.separator);
      row.append(separator);
      this.columns[place].separator = separator;
      ems += SEPARATOR_EMS;
    }
    const symbol = element("span", "symbol", format.symbol);
    this.box.replaceChildren(...(digits === 0 ? [] : format.symbol_first ? [symbol, row] : [row, symbol]));
    this.box.style.setProperty("--digits-ems", ems.toFixed(2));
    this.box.style.setProperty("--symbol-ems", (format.symbol.length * SYMBOL_EMS + GAP_EMS).toFixed(2));
  }

  // Show whole units as BigInt, the last digit turned by `part` (0 to 1) to the next.
  turn(whole, part) {
    const text = String(whole);
    let carry = true; // all columns below stand at 9
    for (let place = 0; place < this.columns.length; place += 1) {
      const index = text.length - 1 - place;
      const digit = index >= 0 ? text.charCodeAt(index) - 48 : 0;
      const column = this.columns[place];
      column.turn(carry ? digit + part : digit, index < 0);
      if (column.separator) column.separator.classList.toggle("leading", index < 0);
      carry = carry && digit === 9;
    }
  }
}
