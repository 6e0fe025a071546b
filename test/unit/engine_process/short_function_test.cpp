#include "runtime/report/short_function.h"

#include <gtest/gtest.h>

#include <initializer_list>
#include <utility>

namespace predrace {
namespace {

TEST(ShortFunction, ArgumentsReturnTypesAndSuffixesGo) {
  for (auto [name, expected] : std::initializer_list<std::pair<const char*, const char*>>{
           {"", ""},
           {"main", "main"},
           {"second()", "second()"},
           {"f(int, void (*)(char))", "f()"},
           {"ns::C::get(std::map<int, int> const&) const", "ns::C::get()"},
           {"(anonymous namespace)::f(int)", "(anonymous namespace)::f()"},
           {"void run<int>(int)", "run<int>()"},
           {"decltype(auto) std::visit<F>(F&&)", "std::visit<F>()"},
           {"main::$_0::operator()(int) const", "main::$_0::operator()()"},
           {"main::'lambda'(int)::operator()(int) const", "main::'lambda'()::operator()()"},
           {"operator new(unsigned long)", "operator new()"},
           {"C::operator bool() const", "C::operator bool()"},
           {"C::operator->() const", "C::operator->()"},
           {"std::operator<< <char>(std::ostream&, char)", "std::operator<< <char>()"},
           {"my_operators(int)", "my_operators()"},
           {"operators(int)", "operators()"},
           {"f(int) [clone .isra.0]", "f()"},
           {"f(int) (.cold)", "f()"},
           {"f[abi:cxx11](int) const &", "f[abi:cxx11]()"},
           {"void (*pick<int>(int))(char)", "void (*pick<int>(int))(char)"},
           {"broken(<", "broken()"},
       }) {
    EXPECT_EQ(shortFunction(name, 40), expected);
  }
}

TEST(ShortFunction, LongNamesLoseMoreAndMore) {
  const char* name = "void store::Index<std::string, int>::insert(std::string const&)";
  EXPECT_EQ(shortFunction(name, 42), "store::Index<std::string, int>::insert()");
  EXPECT_EQ(shortFunction(name, 30), "store::Index<>::insert()");
  EXPECT_EQ(shortFunction(name, 22), "...::Index<>::insert()");
  EXPECT_EQ(shortFunction(name, 13), "...::insert()");
  EXPECT_EQ(shortFunction(name, 8), "store...");
  EXPECT_EQ(shortFunction("store::(anonymous namespace)::Compactor::merge(int)", 30),
            "store::Compactor::merge()");
}

}  // namespace
}  // namespace predrace
