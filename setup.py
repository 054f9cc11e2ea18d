from setuptools import setup, Extension
from Cython.Build import cythonize
mods=["rng","tables","state","prices","scoring","legal","turns","position"]
setup(name="nevsky", package_dir={"":"src"}, packages=["nevsky"], ext_modules=cythonize([Extension(f"nevsky.rules.{m}",[f"src/nevsky/rules/{m}.py"],extra_compile_args=["-O3","-g"]) for m in mods], include_path=["src"], compiler_directives=dict(language_level=3,boundscheck=False,wraparound=False,auto_pickle=False,annotation_typing=False,infer_types=True,cdivision=True,initializedcheck=False,overflowcheck=False), build_dir="build"))
