// A roll from one committed amount to a greater one; pure: no page, no clock of its own.
//
// Laws
// 1. Between cuts the amount of a frame never falls, and it never passes the target.
// 2. Whole units are exact at any size: they are counted as BigInt, only the part between two of them is a number.
// 3. At rest the digits stand still on the target's whole units, rounded down.

// Long enough to be seen rolling, short enough that a sign is never far behind.
export const ROLL_MS = 1500;

// Rises from 0 to 1 with the given speed at first and none at the end; monotone for speeds from 0 to 3.
function eased(at, speed) {
  return speed * at * (1 - at) * (1 - at) + at * at * (3 - 2 * at);
}

function easedSpeed(at, speed) {
  return speed * (1 - at) * (1 - 3 * at) + 6 * at * (1 - at);
}

export class Roll {
  // `unit`: minor units in a whole one, as BigInt.
  constructor(minor, unit) {
    this.unit = unit;
    this.cut(minor);
  }

  // Show an amount at once: a fall, a first amount, or a reader who wants no motion.
  cut(minor) {
    this.minor = minor; // of this frame ...
    this.fine = 0; // ... and what of the next minor unit has been rolled
    this.target = minor;
    this.whole = minor / this.unit; // the digits of this frame ...
    this.part = 0; // ... and how far the last one has turned to the next
    this.moving = false;
    this.speed = 0; // minor units a millisecond
  }

  // Roll to a greater amount from where the digits are now; a lower one is a cut.
  aim(minor, nowMs) {
    if (minor === this.target) return;
    if (minor < this.minor) {
      this.cut(minor);
      return;
    }
    this.target = minor;
    this.startMs = nowMs;
    this.startMinor = this.minor;
    this.startFine = this.fine;
    this.startWhole = this.whole;
    this.startPart = this.part;
    this.rise = Number(minor - this.minor) - this.fine;
    this.span = Number(minor / this.unit - this.whole) - this.part;
    this.startSpeed = this.rise > 0 ? Math.min(3, (this.speed * ROLL_MS) / this.rise) : 0;
    this.moving = true;
  }

  // Move to where the digits are at this time.
  frame(nowMs) {
    if (!this.moving) return;
    const at = Math.min(1, Math.max(0, (nowMs - this.startMs) / ROLL_MS));
    if (at === 1) {
      this.cut(this.target);
      return;
    }
    const done = eased(at, this.startSpeed);
    this.speed = (easedSpeed(at, this.startSpeed) * this.rise) / ROLL_MS;
    this.#turn(Math.max(0, this.span) * done + this.startPart);
    this.#rise(Math.max(0, this.rise) * done + this.startFine);
  }

  // What the last bit of a number rounds must not break law 1.
  #rise(units) {
    const risen = Math.floor(units);
    const minor = this.startMinor + BigInt(risen);
    if (minor >= this.target) {
      this.minor = this.target;
      this.fine = 0;
    } else if (minor >= this.minor) {
      this.fine = minor > this.minor ? units - risen : Math.max(this.fine, units - risen);
      this.minor = minor;
    }
  }

  #turn(parts) {
    const turned = Math.floor(parts);
    const whole = this.startWhole + BigInt(turned);
    const part = parts - turned;
    const last = this.target / this.unit;
    if (whole >= last) {
      this.whole = last;
      this.part = 0;
    } else if (whole > this.whole || (whole === this.whole && part > this.part)) {
      this.whole = whole;
      this.part = part;
    }
  }
}
