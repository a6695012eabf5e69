/** Sources that nothing was developed against; what is compared of each is every module and stub in it. */
export interface Corpus {
  readonly name: string;
  /** The source distribution on PyPI; without one, the folder is that of the Python that runs Black. */
  readonly sdist?: { readonly project: string; readonly version: string };
}

/** The one list of corpora. CPython's own tests are in its standard library, ruff's fixtures in its distribution. */
export const corpora: readonly Corpus[] = [
  { name: "standard library" },
  { name: "ruff", sdist: { project: "ruff", version: "0.17.6" } },
  { name: "pylint", sdist: { project: "pylint", version: "4.1.4" } },
  { name: "sympy", sdist: { project: "sympy", version: "1.14.0" } },
  { name: "twisted", sdist: { project: "twisted", version: "26.10.0" } },
  { name: "salt", sdist: { project: "salt", version: "3008.5" } },
  { name: "ansible", sdist: { project: "ansible-core", version: "2.19.14" } },
  { name: "mypy", sdist: { project: "mypy", version: "2.4.1" } },
  { name: "astropy", sdist: { project: "astropy", version: "8.0.2" } },
  { name: "mercurial", sdist: { project: "mercurial", version: "7.2.4" } },
  { name: "nltk", sdist: { project: "nltk", version: "3.10.4" } },
  { name: "buildbot", sdist: { project: "buildbot", version: "4.3.0" } },
  { name: "sphinx", sdist: { project: "sphinx", version: "9.0.4" } },
];
