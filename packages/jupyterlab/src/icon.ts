/** A text whose lines are aligned, in the colour of JupyterLab's theme. */
export const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" width="16" viewBox="0 0 24 24"><g class="jp-icon3" fill="#616161">' +
  '<path d="M3 4h18v2.5H3zM3 9h11v2.5H3zM7 14h14v2.5H7zM7 19h8v2.5H7z"/></g></svg>';
