/**
 * The Hangul that code page 949 adds to EUC-KR: all syllables that KS X 1001 lacks, in Unicode's order, two bytes each.
 * ICU, which decodes EUC-KR, does not know them.
 */

const FIRST_SYLLABLE = 0xac00;
const LAST_SYLLABLE = 0xd7a3;
const LAST_LEAD = 0xc6;
/** From this lead byte on, EUC-KR has the trail bytes above A0. */
const FIRST_LEAD_OF_EUC_KR = 0xa1;
const LAST_ADDITION = 0xc652;

/** Both of EUC-KR's that ICU lacks, too. */
const SYMBOLS: readonly (readonly [number, string])[] = [
  [0xa2e6, "\u20ac"],
  [0xa2e7, "\u00ae"],
];

function isTrail(lead: number, trail: number): boolean {
  const isLetter = (trail >= 0x41 && trail <= 0x5a) || (trail >= 0x61 && trail <= 0x7a);
  return isLetter || (trail >= 0x81 && trail <= (lead < FIRST_LEAD_OF_EUC_KR ? 0xfe : 0xa0));
}

/**
 * The additional characters by their two bytes as a number.
 *
 * @param isInEucKr whether EUC-KR has the syllable
 */
export function additionsOfCp949(isInEucKr: (syllable: string) => boolean): Map<number, string> {
  const additions = new Map(SYMBOLS);
  let syllable = FIRST_SYLLABLE;
  for (let lead = 0x81; lead <= LAST_LEAD; lead++) {
    for (let trail = 0x41; trail <= 0xfe; trail++) {
      if (!isTrail(lead, trail) || ((lead << 8) | trail) > LAST_ADDITION) continue;
      while (syllable <= LAST_SYLLABLE && isInEucKr(String.fromCharCode(syllable))) syllable++;
      if (syllable <= LAST_SYLLABLE) additions.set((lead << 8) | trail, String.fromCharCode(syllable++));
    }
  }
  return additions;
}
