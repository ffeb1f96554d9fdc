/** Months by their number less one, as English, German, French and Spanish texts name and shorten them. */
export const monthNames: readonly (readonly string[])[] = [
  ["january", "jan", "januar", "jänner", "janvier", "janv", "enero", "ene"],
  ["february", "feb", "februar", "février", "févr", "fév", "febrero"],
  ["march", "mar", "märz", "mär", "mars", "marzo"],
  ["april", "apr", "avril", "avr", "abril", "abr"],
  ["may", "mai", "mayo"],
  ["june", "jun", "juni", "juin", "junio"],
  ["july", "jul", "juli", "juillet", "juil", "julio"],
  ["august", "aug", "août", "agosto", "ago"],
  ["september", "sept", "sep", "septembre", "septiembre"],
  ["october", "oct", "oktober", "okt", "octobre", "octubre"],
  ["november", "nov", "novembre", "noviembre"],
  ["december", "dec", "dezember", "dez", "décembre", "déc", "diciembre", "dic"],
];
